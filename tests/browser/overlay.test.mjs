/** Jobs beside each other, without a browser. */
import assert from "node:assert/strict";
import test from "node:test";
import { agree, differences, together } from "../../web/app/overlay.js";

test("inputs that differ are named by their pointers, and those of one side only", () => {
  const a = { model: { parameters: { m: 1, k: 2 } }, time: { end: 10 } };
  const b = { model: { parameters: { m: 1, k: 3 } }, time: { end: 10 }, labels: { x: "y" } };
  assert.deepEqual(differences([a, b, a]), [
    { pointer: "/model/parameters/k", values: ["2", "3", "2"] },
    { pointer: "/labels/x", values: ["–", '"y"', "–"] },
  ]);
  assert.deepEqual(differences([a, a]), []);
});

test("columns at different instants share one axis, and a missing value is a gap", () => {
  const all = [{ t: [0, 1, 2], x: [5, null, 7] }, { t: [0.5, 2], x: [8, 9] }];
  assert.deepEqual(together(all, "x"), { t: [0, 0.5, 1, 2], columns: [[5, undefined, null, 7], [undefined, 8, undefined, 9]] });
  assert.equal(agree(all), false);
  assert.equal(agree([all[0], all[0]]), true);
});
