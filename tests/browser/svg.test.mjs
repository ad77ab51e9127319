/** The pen that writes SVG, without a browser. */
import assert from "node:assert/strict";
import test from "node:test";
import { SvgPen } from "../../web/app/svg.js";

const written = async (draw) => {
  const pen = new SvgPen();
  draw(pen);
  const text = await pen.file(30, 20, "a & b", "#ffffff").text();
  return text.split("\n").slice(3, -2);
};

test("the file has its size, its paper and its title", async () => {
  const text = await new SvgPen().file(30, 20.123, "a & <b>", "#14171c").text();
  assert.match(text, /^<svg xmlns="[^"]*" width="30" height="20.12" viewBox="0 0 30 20.12">/);
  assert.match(text, /<title>a &#38; &#60;b&#62;<\/title>/);
  assert.match(text, /<rect width="30" height="20.12" fill="#14171c"\/>/);
});

test("a path is filled and stroked, and a full pen needs no opacity", async () => {
  const [face, edge, dot] = await written((pen) => {
    pen.fillStyle = pen.strokeStyle = "#0072B2";
    pen.beginPath();
    pen.moveTo(1, 2);
    pen.lineTo(3.14159, 4);
    pen.closePath();
    pen.globalAlpha = 0.25;
    pen.fill();
    pen.globalAlpha = 1;
    pen.setLineDash([8, 4]);
    pen.stroke();
    pen.beginPath();
    pen.arc(10, 5, 3);
    pen.fill();
  });
  assert.equal(face, '<path d="M1 2L3.14 4Z" fill="#0072B2" opacity="0.25"/>');
  assert.match(edge, /d="M1 2L3.14 4Z" fill="none" stroke="#0072B2" .*stroke-dasharray="8 4"\/>$/);
  assert.equal(dot, '<path d="M7 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0" fill="#0072B2"/>');
});

test("a text with a halo is one text", async () => {
  const [halo, bare] = await written((pen) => {
    pen.font = "10px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    pen.strokeStyle = "#ffffff";
    pen.strokeText("a < b", 5, 6);
    pen.fillText("a < b", 5, 6);
    pen.fillText("c", 5, 6);
  });
  assert.match(halo, /^<text x="5" y="9.5" .* stroke="#ffffff" .*>a &#60; b<\/text>$/);
  assert.match(halo, /font-size="10" font-family="system-ui, sans-serif" text-anchor="end"/);
  assert.doesNotMatch(bare, / stroke=/);
});
