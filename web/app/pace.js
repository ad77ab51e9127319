/** How fast a motion is played. */
const SHORT = 4; // seconds that a motion takes at least at speed 1, if a power of ten can do it
const LONG = 40;

/**
 * Units of t in a second of playing, at speed 1: a power of ten, 1 if the motion is neither short
 * nor long.
 * @param {number} length
 */
export function paceOf(length) {
  if (!(length > 0) || (length >= SHORT && length < LONG)) return 1;
  return 10 ** Math.floor(Math.log10(length / SHORT));
}
