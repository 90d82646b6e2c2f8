import type { Seeded } from '#domain/seeded.ts';

/** Coefficients of Hart's rational approximation, highest power first. */
const ABOVE = [
  0.0352624965998911, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871, 221.213596169931, 220.206867912376,
];
const BELOW = [
  0.0883883476483184, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831, 793.826512519948,
  440.413735824752,
];

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const one of coefficients) sum = sum * x + one;
  return sum;
}

/**
 * The standard normal distribution function to some 15 digits (Hart 1968, as in West 2005, "Better approximations to cumulative
 * normal functions"): masses of narrow cells are differences of it.
 */
export function normalBelow(z: number): number {
  const size = Math.abs(z);
  if (size > 37) return z > 0 ? 1 : 0;
  const density = Math.exp((-size * size) / 2);
  const tail =
    size < 7.071_067_811_865_47
      ? (density * polynomial(ABOVE, size)) / polynomial(BELOW, size)
      : density / (size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))))) / 2.506_628_274_631;
  return z > 0 ? 1 - tail : tail;
}

/** The mass of the standard normal distribution between two places, by the tail in which they lie. */
export const normalBetween = (from: number, to: number): number =>
  from > 0 ? normalBelow(-from) - normalBelow(-to) : normalBelow(to) - normalBelow(from);

/** A draw of the standard normal distribution (Box and Muller 1958). */
export const gaussian = (random: Seeded): number => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
