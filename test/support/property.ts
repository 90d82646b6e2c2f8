import fc from 'fast-check';

/** Properties meet the same cases in every run; `npm run explore` has them drawn anew. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

/**
 * Any text, halves of surrogate pairs too, and names that are easily taken for others. To make a `fc.string` of the unit `binary` takes
 * seconds, and memory for a map of all characters.
 */
export function anyText({ maxLength = 20 } = {}): fc.Arbitrary<string> {
  const codes = fc.array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength });
  const ofCodes = codes.map((all) => String.fromCodePoint(...all).slice(0, maxLength));
  return fc.oneof({ weight: 3, arbitrary: ofCodes }, fc.string({ maxLength }));
}

export { test } from '@fast-check/vitest';
export { fc };
