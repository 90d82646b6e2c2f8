import { expect, test } from 'vitest';
import { folder } from '../../config/support.ts';
import { compared, SEVERAL, SHIPPED_ALONE } from './equal/drawn.ts';
import { OWN } from './equal/own.ts';

/** Seeds of a few drawn studies of each shipped strategy, of which the last executes orders at midnight. More: npm run screen:equal */
const STUDIES = [1, 2, 3, 4, 5, 51];

/** It waits for deposits and timers. */
const BY_ENGINE = new Set(['deposit-dca']);

test.each(SHIPPED_ALONE)('drawn settings of %s on drawn quotes: the screen has the engine’s fills and figures', async (use) => {
  let fills = 0;
  for (const seed of BY_ENGINE.has(use) ? [1] : STUDIES) fills += await fillsOf(seed, { trials: 4, use });
  expect(fills > 0).toBe(!BY_ENGINE.has(use));
});

test.each(Object.keys(OWN))('the same of a strategy of a user: %s', async (use) => {
  let fills = 0;
  for (const seed of [1, 4]) fills += await fillsOf(seed, { trials: 3, use });
  expect(fills).toBeGreaterThan(10);
});

test('the same of several strategies together', async () => {
  let fills = 0;
  for (const seed of [1, 2, 3, 4, 5, 6]) fills += await fillsOf(seed, { trials: 4, use: SEVERAL });
  expect(fills).toBeGreaterThan(500);
});

async function fillsOf(seed: number, drawn: { readonly trials: number; readonly use: string }): Promise<number> {
  const { unequal, fills } = await compared(seed, { cwd: folder(), ...drawn });
  expect(unequal).toEqual([]);
  return fills;
}

test('signals after an exit are looked at again, where the position before it waited for none of them', async () => {
  const { screened, unequal } = await compared(58, { cwd: folder(), trials: 5, use: 'rsi-reversion' });
  expect([screened, unequal]).toEqual([5, []]);
});
