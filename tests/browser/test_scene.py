"""Moving pictures: every system draws something, wheels roll, the time line plays."""

import unittest

from page import Page

# The modules of the page, in a script: `app` imports one, `read` reads a job's scene as a Stage.
MODULES = """
    const home = document.querySelector('script[type=module]').src.replace('main.js', '');
    const app = (name) => import(home + name);
    const read = async (id) => {
      const {Stage} = await app('stage.js'), {Motion} = await app('motion.js');
      const get = async (path) => (await fetch('/v1/jobs/' + id + path)).json();
      const {scene} = await get('/scene'), rows = await get('/result?table=@scene&points=500');
      return new Stage(scene, new Motion(rows.series));
    };
"""


class Scene(Page):
    # a renderer in software, and tests that read pictures
    allowed = ("GL Driver Message", "Canvas2D: Multiple readback")

    def catalog(self, name):
        return self.daemon.get("/v1/catalog/" + name).json["job"]

    def show(self, document):
        found = self.daemon.finish(document)
        self.open("#job/" + found["id"])
        self.browser.wait("a picture", "return document.querySelector('.stage canvas')")
        return found["id"]

    def test_every_system_of_the_catalog_draws_something(self):
        """10: by its lines, at its first and at its last instant."""
        self.open()
        for system in self.daemon.get("/v1/catalog").json["systems"]:
            found = self.daemon.finish(self.catalog(system["name"]), seconds=60)
            drawn = self.browser.run(MODULES + """
                const {Flat} = await app('flat.js'), stage = await read(arguments[0]);
                const box = document.createElement('div');
                box.className = 'stage';
                document.querySelector('main').append(box);
                const flat = new Flat(box, stage), {canvas, pen} = flat;
                const colors = {ink: '#000', grid: '#888', paper: '#fff', of: () => '#00f'};
                const counts = [];
                for (const t of [stage.motion.start, stage.motion.end]) {
                  flat.draw(t, colors);
                  const {data} = pen.getImageData(0, 0, canvas.width, canvas.height);
                  counts.push(data.reduce((n, value, k) => n + (k % 4 === 3 && value > 0), 0));
                }
                box.remove();
                return counts;""", found["id"])
            self.assertGreater(min(drawn), 50, system["name"])
            # default rules would draw a rod of length 1 from a support at rest
            if {"pendulum", "rolling"} & set(system["tags"]):
                self.assertEqual(self.daemon.get("/v1/jobs/%s/scene" % found["id"])
                                 .json["drawn_by"], "model", system["name"])

    def test_the_rod_of_a_pendulum_has_its_length(self):
        """Also if its support moves."""
        self.open()
        for name, length in (("least-action-pendulum", 1), ("least-action-rheonomic-pendulum", 1.25)):
            found = self.daemon.finish(self.catalog(name))
            rods = self.browser.run(MODULES + """
                const stage = await read(arguments[0]), {start, end} = stage.motion;
                return [start, end].map((t) => {
                  const {from, to} = stage.picture(t).things.find(({shape}) => shape === 'rod').item;
                  return Math.hypot(to[0] - from[0], to[1] - from[1]);
                });""", found["id"])
            for rod in rods:
                self.assertAlmostEqual(rod, length, 12, name)

    def test_every_card_of_the_catalog_has_a_picture(self):
        """In the colors of the theme, which may change while the page is open."""
        titles = [one["title"] for one in self.daemon.get("/v1/catalog").json["systems"]]
        self.open("#catalog")
        for dark, colors in ((False, ["0,114,178", "193,78,0"]),
                             (True, ["86,180,233", "230,159,0"])):
            self.browser.look(dark=dark)
            names = self.browser.wait("%d pictures" % len(titles), """
                // a disc with a color of its own may leave few pixels to the theme
                const [colors, count] = arguments, drawn = ({canvas}) => {
                  const {width, height} = canvas;
                  const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
                  let found = 0;
                  for (let k = 0; k < data.length; k += 4)
                    found += colors.includes(data.slice(k, k + 3).join());
                  return found > 0;
                };
                const cards = [...document.querySelectorAll('.card')].map((card) => ({
                  title: card.querySelector('h2').innerText,
                  name: card.querySelector('[role=img]').ariaLabel,
                  canvas: card.querySelector('canvas')}));
                return cards.length === count && cards.every((one) => one.canvas && drawn(one))
                  && cards.map(({title, name}) => [title, name]);""", colors, len(titles))
            self.assertEqual(names, [[title, title] for title in titles])

    def test_a_wheel_does_not_slip_between_rows(self):
        """11: the point of the wheel that touches the ground is at rest, at any instant."""
        self.open()
        found = self.daemon.finish(self.catalog("vertical-rolling-disk"))
        slip = self.browser.run(MODULES + """
            const {local, place} = await app('pose.js'), stage = await read(arguments[0]);
            const wheel = (t) => stage.picture(t).things.find((thing) => thing.shape === 'wheel').pose;
            const {start, end} = stage.motion, step = 1e-4;
            let most = 0, speed = 0;
            for (let k = 1; k < 200; k++) {
              const t = start + (end - start) * k / 200.7;
              const [before, now, after] = [t - step, t, t + step].map(wheel);
              const touch = local(now, [now.o[0], now.o[1], 0]);
              const [a, b] = [before, after].map((pose) => place(pose, touch));
              most = Math.max(most, Math.hypot(...a.map((value, i) => (b[i] - value) / (2 * step))));
              speed = Math.max(speed, Math.hypot(...after.o.map((value, i) => (value - before.o[i]) / (2 * step))));
            }
            return [most, speed];""", found["id"])
        self.assertGreater(slip[1], 0.5)
        self.assertLess(slip[0], 1e-3 * slip[1])

    def test_a_motion_plays_unless_less_motion_is_wanted(self):
        """Also on the page of a job; a key in a plot holds it."""
        self.browser.look(moving=True)
        found = self.show(self.catalog("double-pendulum"))
        self.browser.wait_text("❚❚", ".timeline button")
        self.browser.wait("time to pass", "return Number(document.querySelector("
                                          "'.timeline input[type=range]').value) > 0.2")
        widths = self.browser.run("""
            const widths = new Set(), line = document.querySelector('.timeline input[type=range]');
            return new Promise((ready) => (function look(n) {
              widths.add(line.offsetWidth);
              if (n) requestAnimationFrame(() => look(n - 1));
              else ready([...widths]);
            })(60));""")
        self.assertEqual(len(widths), 1)
        self.browser.run("document.querySelector('.plot').focus()")
        self.browser.press("End")
        self.browser.wait_text("▶", ".timeline button")
        self.browser.wait_text("t = 10.0", ".timeline .number")
        self.browser.look()
        self.open("#job/" + found)
        self.browser.wait_text("▶", ".timeline button")

    def test_the_time_line_plays_and_is_one_with_the_plots(self):
        self.show(self.catalog("double-pendulum"))
        self.assertEqual(self.browser.text(".timeline button"), "▶")
        self.browser.press("Space")
        self.browser.wait_text("❚❚", ".timeline button")
        self.browser.wait("time to pass", "return Number(document.querySelector("
                                          "'.timeline input[type=range]').value) > 0.2")
        self.browser.press("Space")
        self.browser.wait_text("▶", ".timeline button")
        self.browser.run("""
            const line = document.querySelector('.timeline input[type=range]');
            line.value = 5;
            line.dispatchEvent(new Event('input', {bubbles: true}));""")
        self.browser.wait_text("t = 5", ".instant")
        self.browser.press("l")
        self.browser.wait("no repetition", "return !document.querySelector("
                                           "'.timeline input[type=checkbox]').checked")

    def test_keys_move_the_time_line_and_the_camera(self):
        """Without the focus on a plot; a list that scrolls keeps its arrows."""
        made = self.show(self.catalog("double-pendulum"))
        self.browser.wait_text("As table")
        rows = self.daemon.get("/v1/jobs/%s/result" % made).json["series"]["t"]
        at = "return Number(document.querySelector('.timeline input[type=range]').value)" \
             " === arguments[0]"
        for keys, row in ((("End",), -1), (("Left",), -2), (("Shift+Left", "Right"), -11),
                          (("Home", "Shift+Right"), 10)):
            self.browser.press(*keys)
            self.browser.wait("row %d" % row, at, rows[row])
        self.browser.click(".panel summary")
        self.browser.wait("a table in focus", """
            const table = document.querySelector('.panel .scroll');
            table?.focus();
            return table;""")
        self.assertEqual(self.browser.run(MODULES + """
            const {stageOf} = await app('stage.js'), {readScene} = await app('scene.js');
            const moving = await readScene(arguments[0]);
            const away = [null, true, false].map((wanted) => {
              const stage = stageOf(moving, wanted), {start, end} = stage.motion;
              const [a, b] = [start, end].map((t) => stage.picture(t).target);
              return Math.hypot(...a.map((value, i) => b[i] - value)) > 0.1;
            });
            return away;""", made), [False, True, False])
        boxes = "return [...document.querySelectorAll('.timeline input[type=checkbox]')]" \
                ".map((one) => one.checked).join()"
        self.assertEqual(self.browser.run(boxes), "true,false")
        self.browser.press("Right", "End", "f")
        self.browser.wait("a camera that follows", boxes + " === 'true,true'")
        self.assertTrue(self.browser.run(at, rows[10]))
        self.browser.press("f")
        self.browser.wait("a camera that rests", boxes + " === 'true,false'")

    def marks(self, selector, count):
        """The texts of the marks below a selector, and their places as parts of the axis."""
        return self.browser.wait("%d marks in %s" % (count, selector), """
            const lines = [...document.querySelectorAll(arguments[0] + ' .marks line')];
            return lines.length === arguments[1] && lines.map((one) => {
              const {left, width} = one.closest('svg').getBoundingClientRect();
              const box = one.getBoundingClientRect();
              return [one.textContent, (box.left + box.width / 2 - left) / width];
            });""", selector, count)

    def test_events_and_the_end_of_a_failed_run_are_marked(self):
        ball = {"coordinates": ["y"], "lagrangian": "dot(y)^2/2 - y"}
        bounces = {"name": "bounce", "when": "y", "direction": "falling", "set": {"dot(y)": "-dot(y)"}}
        self.show({"model": ball, "initial": {"q": {"y": 0.5}}, "time": {"end": 4, "samples": 41},
                   "events": [bounces, {"name": "top", "at": [2]}],
                   "figures": [{"title": "height", "x": "t", "y": ["y"]}]})
        wanted = [["bounce at t = 1", 0.25], ["bounce at t = 3", 0.75], ["top at t = 2", 0.5]]
        for selector in (".timeline", "[aria-label=Figures]", "[data-unit^=coordinates]",
                         "[data-unit=rates]"):
            found = self.marks(selector, 3)
            self.assertEqual([text for text, _ in found], [text for text, _ in wanted])
            for (_, place), (_, right) in zip(found, wanted):
                self.assertAlmostEqual(place, right, 2, selector)
        # a range of time has its own marks
        self.browser.run("location.hash += '?from=1.5&to=2.5'")
        self.assertEqual([text for text, _ in self.marks("[data-unit=rates]", 1)], ["top at t = 2"])
        # many events: a part of them
        self.show({"model": ball, "initial": {}, "time": {"end": 4, "samples": 41},
                   "events": [{"name": "tick", "every": 0.001}]})
        places = [place for _, place in self.marks(".timeline", 100)]
        self.assertLess(max(b - a for a, b in zip([0] + places, places + [1])), 0.03)
        # a run that fails
        self.show({"model": {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 + x^4"},
                   "initial": {"q": {"x": 1}}, "time": {"end": 10, "samples": 101}})
        [[text, place]] = self.marks(".timeline", 1)
        self.assertRegex(text, r"^failed at t = \d\.\d+: ")
        self.assertAlmostEqual(place, 1, 2)

    def test_a_click_on_a_plot_seeks_while_the_motion_plays(self):
        """12."""
        self.show(self.catalog("double-pendulum"))
        self.browser.wait("a plot", "return document.querySelector('.u-over')")
        self.browser.press("<", "<", "<", "Space")
        self.browser.wait_text("❚❚", ".timeline button")
        left, top, width = self.browser.run("""
            const over = document.querySelector('.u-over');
            over.scrollIntoView({block: 'center'});
            const box = over.getBoundingClientRect();
            return [box.left, box.top + 50, box.width];""")
        self.browser.run("""
            window.seen = [];  // values of the time line
            (function look() {
              const {value} = document.querySelector('.timeline input[type=range]');
              if (Number(value) !== seen.at(-1)) seen.push(Number(value));
              requestAnimationFrame(look);
            })();""")
        # the motion goes on while the button is pressed: a row takes 0.2 seconds
        place = {"x": int(left + 0.79 * width), "y": int(top)}
        self.browser.command("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "actions": [
                dict(place, type="pointerMove", duration=20), {"type": "pointerDown", "button": 0},
                {"type": "pause", "duration": 500}, {"type": "pointerUp", "button": 0}]}]})
        self.browser.wait("the click's instant and a later one", "return seen.at(-2) > 7.5")
        seen = self.browser.run("return seen")
        # of 10, at a tenth of the speed: the motion alone makes small steps
        self.assertGreater(max(b - a for a, b in zip(seen, seen[1:])), 5)
        self.assertGreater(seen[-1], seen[-2])

    def test_without_webgl_solids_have_outlines_and_a_sentence(self):
        """17."""
        script = self.browser.chrome("Page.addScriptToEvaluateOnNewDocument", source="""
            const {getContext} = HTMLCanvasElement.prototype;
            HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
              return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...more);
            };""")
        self.allowed = (*self.allowed, "WebGL")
        try:
            self.show(self.catalog("vertical-rolling-disk"))
            self.browser.wait_text("This browser has no WebGL", ".scene")
            self.assertGreater(self.browser.run("""
                const canvas = document.querySelector('.stage canvas');
                const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return data.filter((value, k) => k % 4 === 3 && value > 0).length;"""), 500)
        finally:
            self.browser.chrome("Page.removeScriptToEvaluateOnNewDocument", **script)

    def test_in_space_the_scene_is_drawn_by_webgl(self):
        self.show(self.catalog("sphere-on-rotating-plane"))
        self.browser.wait("both canvases", "return document.querySelectorAll('.stage canvas').length === 2")
        self.assertNotIn("no WebGL", self.browser.text(".scene"))

    def test_a_narrow_window_shows_the_whole_scene(self):
        """The table of the ball reaches neither side of the picture."""
        self.browser.look(width=360)
        self.open("#service")
        self.browser.wait_text("Limits")
        found = self.daemon.finish(self.catalog("sphere-on-rotating-plane"))
        drawn = self.browser.run(MODULES + """
            const {Solid} = await app('solid.js'), stage = await read(arguments[0]);
            const box = document.createElement('div');
            box.className = 'stage';
            document.querySelector('main').append(box);
            const solid = new Solid(box, stage);
            solid.draw(stage.motion.start,
                       {ink: '#000', grid: '#888', paper: '#fff', of: () => '#00f'});
            const {width, height} = solid.canvas;
            const pen = Object.assign(document.createElement('canvas'), {width, height})
              .getContext('2d');
            pen.drawImage(solid.canvas, 0, 0);
            const count = (x, n) => pen.getImageData(x, 0, n, height).data.filter(
              (value, k) => k % 4 === 3 && value > 0).length;
            return [count(0, 2), count(2, width - 4), count(width - 2, 2)];""", found["id"])
        self.assertGreater(drawn[1], 5000)
        self.assertEqual([drawn[0], drawn[2]], [0, 0])

    def test_the_start_moves_and_a_slider_changes_it(self):
        """22: the first visit. In a narrow window the sliders are next to the picture."""
        self.browser.look(width=360, moving=True)
        self.open()
        self.browser.wait_text("Move a slider", "main")
        self.browser.wait("a motion", "return Number(document.querySelector("
                                      "'.timeline input[type=range]')?.value) > 0")
        self.browser.wait_text("of 7 quantities 1 is conserved: spin_z", ".evidence")
        self.assertEqual(self.browser.texts(".legend .key"),
                         ["path in the room", "path on the table"])
        tops = self.browser.run("""
            return ['.stage', '.slider', '.saving'].map((one) =>
              document.querySelector(one).getBoundingClientRect().top);""")
        self.assertEqual(tops, sorted(tops))
        self.assertLess(tops[1] - tops[0], 450)  # both are in sight
        self.browser.click(".showcase summary")
        self.browser.wait_text("this proves that it is not conserved", ".showcase details")
        # the motion of another value has evidence of its own
        evidence = """
            const text = document.querySelector('.evidence:not([aria-busy=true])')?.innerText;
            return text !== arguments[0] && text;"""
        first = self.browser.wait("evidence", evidence, "")
        self.browser.run("document.querySelector('.slider [aria-label=W]').focus()")
        self.browser.press("End")
        self.browser.wait_text("7.5 1/s", ".slider output")
        second = self.browser.wait("other evidence", evidence, first)
        self.assertIn("of 7 quantities 1 is conserved: spin_z", second)


if __name__ == "__main__":
    unittest.main()
