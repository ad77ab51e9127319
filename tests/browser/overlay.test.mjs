/** Jobs beside each other, without a browser. */
import assert from "node:assert/strict";
import test from "node:test";
import { agree, differences, namesOf, restsAt, together } from "../../web/app/overlay.js";

test("inputs that differ are named by their pointers, and those of one side only", () => {
  const a = { model: { parameters: { m: 1, k: 2 } }, time: { end: 10 } };
  const b = { model: { parameters: { m: 1, k: 3 } }, time: { end: 10 }, labels: { x: "y" } };
  assert.deepEqual(differences([a, b, a]), [
    { pointer: "/model/parameters/k", values: ["2", "3", "2"] },
    { pointer: "/labels/x", values: ["–", '"y"', "–"] },
  ]);
  assert.deepEqual(differences([a, a]), []);
});

test("a value that a job replaces is compared with that of the model", () => {
  const model = { parameters: { m: 1, k: { value: 2, unit: "N/m" } } };
  assert.deepEqual(differences([{ model }, { model, parameters: { k: 3 } }]), [
    { pointer: "/model/parameters/k/value", values: ["2", "3"] },
  ]);
});

test("jobs of one title are named by two inputs in which they differ", () => {
  const inputs = ["/model/parameters/k/value", "/initial/q/x", "/time/end"].map((pointer, k) => ({
    pointer,
    values: [String(k), String(k + 10)],
  }));
  assert.deepEqual(namesOf(["Ball", "Ball"], inputs), ["k = 0, x = 1", "k = 10, x = 11"]);
  assert.deepEqual(namesOf(["Ball", "Disk"], inputs), ["Ball", "Disk"]);
  assert.deepEqual(namesOf(["Ball", "Ball"], []), ["Ball", "Ball"]);
});

test("columns at different instants share one axis, and a missing value is a gap", () => {
  const all = [
    { t: [0, 1, 2], x: [5, null, 7] },
    { t: [0.5, 2], x: [8, 9] },
  ];
  assert.deepEqual(together(all, "x"), {
    t: [0, 0.5, 1, 2],
    columns: [
      [5, undefined, null, 7],
      [undefined, 8, undefined, 9],
    ],
  });
  assert.equal(agree(all), false);
  assert.equal(agree([all[0], all[0]]), true);
});

test("a motion that rests while others move says why and from when", () => {
  const all = { start: 0, end: 10 };
  assert.equal(restsAt("succeeded", [0, 10], all), "");
  assert.equal(restsAt("succeeded", [0, 4], all), "stops at its last row, t = 4");
  assert.equal(restsAt("running", [0, 10], all), "running; stops at its last row, t = 10");
  assert.equal(restsAt("succeeded", [2, 10], all), "starts at its first row, t = 2");
  // runs that go backwards
  assert.equal(restsAt("succeeded", [10, 0], all), "");
  assert.equal(restsAt("failed", [10, 3], all), "failed; stops at its last row, t = 3");
});
