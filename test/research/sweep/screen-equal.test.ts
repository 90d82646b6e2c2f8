import { expect, test } from 'vitest';
import { folder } from '../../config/support.ts';
import { compared, SHIPPED_ALONE } from './equal/drawn.ts';

/** Seeds of a few drawn studies of each shipped strategy, of which the last executes orders at midnight. More: npm run screen:equal */
const STUDIES = [1, 2, 3, 4, 5, 51];

/** Strategies that keep a state are the engine's. */
const WITH_STATE = new Set(['grid', 'deposit-dca']);

test.each(SHIPPED_ALONE)('drawn settings of %s on drawn quotes: the screen has the engine’s fills and figures', async (use) => {
  let fills = 0;
  for (const seed of STUDIES) {
    const one = await compared(seed, { cwd: folder(), trials: 4, use });
    expect(one.unequal).toEqual([]);
    fills += one.fills;
  }
  expect(fills > 0).toBe(!WITH_STATE.has(use));
});

test('signals after an exit are looked at again, where the position before it waited for none of them', async () => {
  const { use, screened, unequal } = await compared(58, { cwd: folder(), trials: 5 });
  expect([use, screened, unequal]).toEqual(['rsi-reversion', 2, []]);
});
