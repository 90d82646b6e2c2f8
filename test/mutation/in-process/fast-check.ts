import * as fc from 'fast-check';
import { test as plain } from './vitest.ts';

/** `@fast-check/vitest` of the same kind. The seed is fixed: each mutant meets the same cases. */
export * as fc from 'fast-check';

type Property = (...given: unknown[]) => unknown;

const prop =
  (drawn: readonly fc.Arbitrary<unknown>[], options: fc.Parameters<[unknown[]]> = {}) =>
  (name: string, property: Property): void =>
    plain(name, () =>
      fc.assert(
        fc.asyncProperty(fc.tuple(...drawn), async (given) => (await property(...given)) !== false),
        { seed: 1, ...options },
      ),
    );

const { each, skip, skipIf, runIf } = plain;
export const test = Object.assign((name: string, ...args: readonly unknown[]) => plain(name, ...args), { each, skip, skipIf, runIf, prop });
export const it = test;
