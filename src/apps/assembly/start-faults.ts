import type { Fault } from '#config/faults.ts';
import type { LoadedConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { priceSources } from '#venue/prices/sources.ts';
import { VB_PRODUCTS } from '#venue/products.ts';
import { checkProducts, lanesOf, loadStrategies } from './assemble.ts';

/**
 * Why a start would fail although every setting is valid, as far as that shows without starting anything: modules and
 * their parameters, the number of lanes, and with the embedded venue its prices, products and amounts.
 */
export async function startFaults(config: LoadedConfig, folders: { cwd: string; packaged: string }): Promise<readonly Fault[]> {
  const { settings } = config;
  const found = [await faultOf(() => lanesOf(settings.strategies, settings.lanes))];
  if (settings.service.baseUrl === null) found.push(await faultOf(() => priceSources(settings.venue)));
  return [...(await strategyFaults(config, folders)), ...found.filter((fault) => fault !== undefined)];
}

/** The faults of one strategy: its module, its parameters, its product and amount. */
export async function strategyFaults({ settings }: LoadedConfig, folders: { cwd: string; packaged: string }): Promise<readonly Fault[]> {
  const embedded = settings.service.baseUrl === null;
  const found: (Fault | undefined)[] = [];
  for (const strategy of settings.strategies) {
    const strategies = [strategy];
    found.push(await faultOf(() => loadStrategies({ ...settings, strategies }, folders)));
    if (embedded) found.push(await faultOf(() => checkProducts(strategies, VB_PRODUCTS)));
  }
  return found.filter((fault) => fault !== undefined);
}

async function faultOf(work: () => unknown): Promise<Fault | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    return { code: error.code, line: error.message };
  }
}
