/** A reproducible sequence of random numbers. */
export interface Seeded {
  /** The next number in [0, 1), with 53 random bits. */
  next(): number;
  /** The state of the sequence, from which `seededFrom` continues. */
  state(): State128;
}

/** The state of the generator: four words of 32 bits. */
export type State128 = readonly [number, number, number, number];

/**
 * A sequence by a text as its seed: the same text gives the same numbers on every machine and in every run. Generator:
 * xoshiro128**, seeded by a hash of the text. Not for secrets.
 */
export function seeded(text: string): Seeded {
  return seededFrom(hash128(text));
}

/** A sequence that continues from the state of another. */
export function seededFrom(state: State128): Seeded {
  const draw = xoshiro128(state);
  return { next: () => ((draw() >>> 5) * 2 ** 26 + (draw() >>> 6)) * 2 ** -53, state: draw.state };
}

/** xoshiro128** 1.1 (Blackman and Vigna): whole numbers in [0, 2^32). */
export function xoshiro128(state: State128): (() => number) & { readonly state: () => State128 } {
  // A typed array keeps the words off the heap.
  const words = Int32Array.from(state);
  const draw = (): number => {
    // Read in place: a helper that reads columns of every type would take three times as long.
    const a = words[0] ?? 0;
    const b = words[1] ?? 0;
    const c = (words[2] ?? 0) ^ a;
    const d = (words[3] ?? 0) ^ b;
    words[0] = a ^ d;
    words[1] = b ^ c;
    words[2] = c ^ (b << 9);
    words[3] = rotate(d, 11);
    return Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
  };
  return Object.assign(draw, { state: (): State128 => [words[0] ?? 0, words[1] ?? 0, words[2] ?? 0, words[3] ?? 0] });
}

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

/** Four words of MurmurHash3-style mixing over the text's UTF-16 units; never all zero. */
function hash128(text: string): State128 {
  const word = (salt: number): number => {
    let h = salt ^ text.length;
    for (let i = 0; i < text.length; i++) {
      h = Math.imul(h ^ text.charCodeAt(i), 0xcc9e2d51);
      h = rotate(h, 15);
    }
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return h ^ (h >>> 16);
  };
  return [word(0x9e3779b9), word(0x243f6a88), word(0xb7e15162), word(0x6a09e667) | 1];
}
