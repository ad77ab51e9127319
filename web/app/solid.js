/**
 * Draws a scene in space with three.js. The mouse turns, moves and zooms; labels lie on a canvas
 * above.
 */
import * as THREE from "../vendor/three.js";
import { annotate, upOf, viewOf } from "./flat.js";

const ANGLE = 35; // degrees of the field of view
const MARGIN = 1.05; // of the view about the span
const ROUND = 48; // facets of a circle, a multiple of 8: the edges of patterns are edges of facets
const WIDTHS = { blade: 4, spring: 2.5, damper: 2.5, trail: 2.5, ground: 1, ring: 1 };
const SHADE = 0.55; // of the colour of a pattern's other parts

const upright = (geometry) => geometry.rotateX(Math.PI / 2); // three's cylinders stand along y

/** A ball, or its half above or below the plane of the first two axes. */
const ball = (part) =>
  upright(
    new THREE.SphereGeometry(
      1,
      ROUND,
      ROUND / 2,
      0,
      2 * Math.PI,
      part === "lower" ? Math.PI / 2 : 0,
      part === "whole" ? Math.PI : Math.PI / 2,
    ),
  );

/** The solids of shapes, of unit sizes; `scale` gives them those of the item. */
const SOLIDS = {
  sphere: {
    make: () => new THREE.SphereGeometry(1, ROUND, ROUND / 2),
    scale: ({ radius: r }) => [r, r, r],
  },
  ellipsoid: {
    make: ({ part = "whole" }) => ball(part),
    scale: ({ semiaxes: [a, b, c] }) => [a, b, c],
  },
  point: {
    make: () => new THREE.SphereGeometry(1, ROUND / 2, ROUND / 4),
    scale: (_, span) => [0.015 * span, 0.015 * span, 0.015 * span],
  },
  box: {
    make: () => new THREE.BoxGeometry(1, 1, 1),
    scale: ({ size: [x, y, z = 0] }, span) => [x, y, z || 0.01 * span],
  },
  cylinder: {
    make: () => upright(new THREE.CylinderGeometry(1, 1, 1, ROUND)),
    scale: ({ radius: r, length: l }) => [r, r, l],
  },
  cone: {
    make: () => upright(new THREE.ConeGeometry(1, 1, ROUND)).translate(0, 0, 0.5),
    scale: ({ radius: r, length: l }) => [r, r, l],
  },
  // the upper face of a disc lies in its plane: things lie on it, and traces show
  disc: {
    make: () => upright(new THREE.CylinderGeometry(1, 1, 1, ROUND)).translate(0, 0, -0.5),
    scale: ({ radius: r, thickness: h }) => [r, r, h],
  },
  wheel: {
    make: () => upright(new THREE.CylinderGeometry(1, 1, 1, ROUND)),
    scale: ({ radius: r, thickness: h }) => [r, r, h],
  },
};
/** Patterns of items that name none. */
const PATTERNS = { wheel: "spokes", disc: "sectors", sphere: "octants" };

/** Whether a facet has the other colour of the pattern. */
const OTHER = {
  none: () => false,
  octants: ([x, y, z]) => x * y * z > 0,
  checker: ([x, y, z]) => x * y * z > 0,
  sectors: ([x, y]) => Math.floor((4 * Math.atan2(y, x)) / Math.PI + 16) % 2 === 1,
  spokes: ([x, y]) => Math.floor((4 * Math.atan2(y, x)) / Math.PI + 16) % 2 === 1,
};

/**
 * Colours the facets by the pattern: white, or darker.
 * @param {any} made
 * @param {string} pattern
 */
function coloured(made, pattern) {
  const geometry = made.toNonIndexed();
  const { position } = geometry.attributes;
  const shades = new Float32Array(3 * position.count);
  for (let k = 0; k < position.count; k += 3) {
    const middle = [0, 1, 2].map(
      (i) =>
        (position.array[3 * k + i] +
          position.array[3 * k + 3 + i] +
          position.array[3 * k + 6 + i]) /
        3,
    );
    shades.fill(OTHER[pattern]?.(middle) ? SHADE : 1, 3 * k, 3 * k + 9);
  }
  geometry.setAttribute("color", new THREE.BufferAttribute(shades, 3));
  return geometry;
}

/** What one item has in three's scene. */
class Model {
  constructor(view, thing) {
    this.view = view;
    this.group = new THREE.Group();
    this.lines = null;
    const solid = SOLIDS[thing.shape];
    if (solid)
      this.#add(
        coloured(solid.make(thing.item), thing.item.pattern ?? PATTERNS[thing.shape] ?? "none"),
        thing,
      );
    if (thing.shape === "rod")
      this.#add(
        upright(new THREE.CylinderGeometry(1, 1, 1, 16)).translate(0, 0, 0.5),
        thing,
        false,
      );
    if (thing.shape === "ring")
      this.#add(
        new THREE.TorusGeometry(thing.item.radius, thing.item.tube, 16, ROUND),
        thing,
        false,
      );
    if (thing.shape === "arrow") {
      this.#add(
        upright(new THREE.CylinderGeometry(1, 1, 1, 16)).translate(0, 0, 0.5),
        thing,
        false,
      );
      this.head = new THREE.Mesh(
        upright(new THREE.ConeGeometry(1, 1, 16)).translate(0, 0, -0.5),
        this.mesh.material,
      );
      this.group.add(this.head);
    }
  }

  #add(geometry, { item }, patterned = true) {
    const opacity = item.opacity ?? 1;
    const transparent = opacity < 1;
    const material = new THREE.MeshLambertMaterial({
      vertexColors: patterned,
      side: item.part ? THREE.DoubleSide : THREE.FrontSide,
      polygonOffset: true,
      // at one place, the lines are before the solids, and these before translucent ones
      polygonOffsetFactor: transparent ? 2 : 1,
      polygonOffsetUnits: transparent ? 2 : 1,
      transparent,
      opacity,
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.matrixAutoUpdate = false;
    this.group.add(this.mesh);
  }

  /** A cylinder of radius r from one point to another. */
  #stretch(mesh, from, to, radius) {
    const d = new THREE.Vector3(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const length = d.length() || Number.MIN_VALUE;
    mesh.matrixAutoUpdate = true;
    mesh.position.set(...from);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), d.divideScalar(length));
    mesh.scale.set(radius, radius, length);
    return length;
  }

  update(thing, color, paper, span) {
    const { shape, item, pose, lines, arrow } = thing;
    this.mesh?.material.color.set(color);
    if (SOLIDS[shape] || shape === "ring") {
      const [x, y, z] = SOLIDS[shape]?.scale(item, span) ?? [1, 1, 1];
      const { R, o } = pose;
      this.mesh.matrix.set(
        R[0] * x,
        R[1] * y,
        R[2] * z,
        o[0],
        R[3] * x,
        R[4] * y,
        R[5] * z,
        o[1],
        R[6] * x,
        R[7] * y,
        R[8] * z,
        o[2],
        0,
        0,
        0,
        1,
      );
    } else if (shape === "rod") {
      this.#stretch(this.mesh, lines[0].points[0], lines[0].points[1], item.radius ?? 0.008 * span);
    } else if (arrow) {
      const radius = 0.006 * span;
      const length = this.#stretch(this.mesh, arrow.from, arrow.to, radius);
      this.#stretch(
        this.head,
        arrow.to,
        arrow.to.map((value, i) => 2 * value - arrow.from[i]),
        3 * radius,
      );
      this.head.scale.set(3 * radius, 3 * radius, Math.min(8 * radius, length));
    }
    if (!this.mesh) this.#drawLines(thing, color, paper);
  }

  close() {
    this.view.scene.remove(this.group);
    this.group.traverse((one) => {
      one.geometry?.dispose();
      one.material?.dispose();
    });
  }

  /** All lines of the item as the segments of one object. */
  #drawLines({ shape, item, lines }, color, paper) {
    const places = [];
    const colors = [];
    const own = new THREE.Color(color);
    for (const { points, closed, age } of lines) {
      const shade = age === undefined ? own : new THREE.Color(paper).lerp(own, 0.25 + 0.75 * age);
      const n = points.length;
      for (let k = 0; k < (closed ? n : n - 1); k++) {
        places.push(...points[k], ...points[(k + 1) % n]);
        colors.push(shade.r, shade.g, shade.b, shade.r, shade.g, shade.b);
      }
    }
    this.lines ??= this.#segments(shape, item.opacity ?? 1);
    this.lines.visible = places.length > 0;
    if (!places.length) return;
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.LineSegmentsGeometry().setPositions(places).setColors(colors);
    this.lines.material.resolution.set(...this.view.size);
  }

  #segments(shape, opacity) {
    const material = new THREE.LineMaterial({
      linewidth: WIDTHS[shape] ?? 1.5,
      vertexColors: true,
      transparent: opacity < 1,
      opacity,
    });
    const segments = new THREE.LineSegments2(new THREE.LineSegmentsGeometry(), material);
    segments.frustumCulled = false;
    this.group.add(segments);
    return segments;
  }
}

export class Solid {
  /**
   * Throws if the browser has no WebGL.
   * @param {HTMLElement} box
   * @param {import("./stage.js").Stage} stage
   */
  constructor(box, stage) {
    this.stage = stage;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.canvas = this.renderer.domElement;
    this.labels = document.createElement("canvas");
    this.labels.className = "labels";
    box.append(this.canvas, this.labels);
    this.size = [0, 0];
    this.scene = new THREE.Scene();
    this.models = new Map();
    this.camera =
      stage.scene.camera?.projection === "orthographic"
        ? new THREE.OrthographicCamera()
        : new THREE.PerspectiveCamera(ANGLE);
    this.camera.up.set(...upOf(stage.scene));
    const light = new THREE.DirectionalLight(0xffffff, 2);
    light.position.set(-1, 2, 3);
    this.camera.add(light);
    this.scene.add(this.camera, new THREE.AmbientLight(0xffffff, 1.2));
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.changed = () => {};
    this.controls.addEventListener("change", () => this.changed());
    this.canvas.addEventListener("dblclick", () => this.reset());
    this.reset();
  }

  reset() {
    const { camera, stage, controls } = this;
    const view = new THREE.Vector3(
      ...viewOf(stage.scene, stage.picture(stage.motion.start).camera),
    ).normalize();
    const span = MARGIN * (stage.scene.camera?.span ?? stage.span);
    const { target } = stage.picture(stage.motion.start);
    this.target = target;
    const distance = span / (2 * Math.tan((ANGLE * Math.PI) / 360));
    controls.target.set(...target);
    camera.position.set(...target).addScaledVector(view, distance);
    camera.near = span / 100;
    camera.far = span * 100;
    this.span = span;
    camera.zoom = 1;
    controls.update();
    this.changed();
  }

  /**
   * Another motion of the same scene; the eye stays where it is.
   * @param {import("./stage.js").Stage} stage
   */
  take(stage) {
    this.stage = stage;
    for (const model of this.models.values()) model.close();
    this.models.clear();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (this.size[0] === width && this.size[1] === height) return;
    this.size = [width, height];
    this.renderer.setPixelRatio(devicePixelRatio || 1);
    this.renderer.setSize(width, height, false);
    // the smaller side shows the span
    const aspect = width / height;
    const tall = 1 / Math.min(1, aspect);
    const half = (tall * this.span) / 2;
    if (this.camera.isPerspectiveCamera) {
      const slope = tall * Math.tan((ANGLE * Math.PI) / 360);
      Object.assign(this.camera, { aspect, fov: (360 * Math.atan(slope)) / Math.PI });
    } else
      Object.assign(this.camera, {
        left: -half * aspect,
        right: half * aspect,
        top: half,
        bottom: -half,
      });
    this.camera.updateProjectionMatrix();
  }

  /** The camera goes with the target; the user's turn and zoom stay. @param {number[]} target */
  #follow(target) {
    const step = new THREE.Vector3(...target.map((value, i) => value - this.target[i]));
    this.target = target;
    this.controls.target.add(step);
    this.camera.position.add(step);
    this.camera.updateMatrixWorld();
  }

  /** @param {number} t @param {any} colors */
  draw(t, colors) {
    this.#resize();
    const picture = this.stage.picture(t);
    this.#follow(picture.target);
    for (const thing of picture.things) {
      if (!this.models.has(thing.key)) {
        const model = new Model(this, thing);
        this.models.set(thing.key, model);
        this.scene.add(model.group);
      }
      this.models
        .get(thing.key)
        .update(
          thing,
          thing.shape === "ground" ? colors.grid : colors.of(thing.color),
          colors.paper,
          this.stage.size,
        );
    }
    const shown = new Set(picture.things.map((thing) => thing.key));
    for (const [key, model] of this.models) model.group.visible = shown.has(key);
    this.renderer.render(this.scene, this.camera);
    this.#annotate(picture, colors);
  }

  #annotate({ things }, colors) {
    const [width, height] = this.size;
    const ratio = devicePixelRatio || 1;
    this.labels.width = Math.round(width * ratio);
    this.labels.height = Math.round(height * ratio);
    const pen = this.labels.getContext("2d");
    pen.scale(ratio, ratio);
    const toPixels = (p) => {
      const at = new THREE.Vector3(...p).project(this.camera);
      return [((at.x + 1) * width) / 2, ((1 - at.y) * height) / 2];
    };
    annotate(pen, things, toPixels, colors, width, height);
  }

  close() {
    this.controls.dispose();
    this.take(this.stage);
    this.renderer.dispose();
    this.canvas.remove();
    this.labels.remove();
  }
}
