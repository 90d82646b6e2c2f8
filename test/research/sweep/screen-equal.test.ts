import { expect, test } from 'vitest';
import { folder } from '../../config/support.ts';
import { compared, SHIPPED_ALONE } from './equal/drawn.ts';

/** Seeds of a few drawn studies of each shipped strategy. More of them: npm run screen:equal */
const STUDIES = 3;

test.each(SHIPPED_ALONE)('drawn settings of %s on drawn quotes: the screen has the engine’s fills and figures', async (use) => {
  for (let seed = 1; seed <= STUDIES; seed++) expect((await compared(seed, { cwd: folder(), trials: 4, use })).unequal).toEqual([]);
});
