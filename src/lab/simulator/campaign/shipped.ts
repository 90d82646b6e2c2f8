import { fileURLToPath } from 'node:url';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import { loadStrategy } from '#core/strategy/loader.ts';
import { SHIPPED } from '#lab/simulator/plan/draw-strategies.ts';

/** The packaged strategies by name. Load them before time is simulated. */
export async function shippedStrategies(): Promise<ReadonlyMap<string, MarkedStrategy>> {
  const packaged = fileURLToPath(new URL('../../../../strategies', import.meta.url));
  const shipped = new Map<string, MarkedStrategy>();
  for (const use of Object.keys(SHIPPED)) shipped.set(use, (await loadStrategy(use, { cwd: packaged, packaged })).definition);
  return shipped;
}
