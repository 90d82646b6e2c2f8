import { expect, test } from 'vitest';
import { paramConflict } from '#core/strategy/start-check.ts';

const cross = (where: (params: Readonly<Record<string, unknown>>) => boolean) => ({ name: 'cross', where });

test('parameters that clash are named with the rule, the others are not', () => {
  const below = cross((p) => Number(p.fast) < Number(p.slow));
  expect(paramConflict(below, { fast: 60, slow: 20, seed: 1 })).toBe(
    'cross does not accept fast 60 with slow 20: its rule is Number(p.fast) < Number(p.slow)',
  );
  expect(paramConflict(below, { fast: 20, slow: 60, seed: 1 })).toBeUndefined();
  const unnamed = cross((p) => Object.values(p).every((value) => value !== 2));
  expect(paramConflict(unnamed, { a: true, b: 2 })).toBe(
    'cross does not accept a true with b 2: its rule is Object.values(p).every((value) => value !== 2)',
  );
  expect(paramConflict({ name: 'free' }, { a: 1 })).toBeUndefined();
});
