import type { MillisOrRange } from '../settings.ts';

/**
 * Numbers in [0, 1) that are a function of seed, stream and index alone: any of them can be had again, in any order.
 * Built from integer operations only, so that every machine agrees.
 */
export function seededUnits(seed: string, stream: string): (index: number) => number {
  const base = hashOf(`${seed}\u0000${stream}`);
  return (index) => scramble(scramble(base ^ Math.imul(index, 0x9e3779b1)) + Math.imul(index, 0x85ebca77)) / 2 ** 32;
}

/** Draws from a range so that each order of magnitude is as likely as the next. `unit` is in [0, 1). Whole milliseconds. */
export function drawLogUniform(setting: MillisOrRange, unit: number): number {
  if (typeof setting === 'number') return setting;
  const [min, max] = setting;
  const low = Math.max(1, min);
  if (max <= low) return max;
  return Math.round(low * (max / low) ** unit);
}

/** Draws evenly from a range. `unit` is in [0, 1). Whole milliseconds. */
export function drawUniform(setting: MillisOrRange, unit: number): number {
  if (typeof setting === 'number') return setting;
  const [min, max] = setting;
  return Math.round(min + (max - min) * unit);
}

/** FNV-1a over the UTF-16 units, scrambled. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return scramble(hash);
}

/** The finaliser of MurmurHash3: every bit of the input moves every bit of the output. */
function scramble(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
