import type { Fault } from '#config/faults.ts';
import type { LoadedConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { priceSources } from '#venue/prices/sources.ts';
import { VB_PRODUCTS } from '#venue/products.ts';
import { checkProducts, lanesOf, loadStrategies } from './assemble.ts';

/**
 * What a start would refuse although every setting is right by itself, in its words, as far as that shows without starting anything:
 * modules and their parameters, the number of lanes, and where the paper venue is embedded its prices, and products and
 * amounts by its limits.
 */
export async function startFaults(config: LoadedConfig, folders: { cwd: string; packaged: string }): Promise<readonly Fault[]> {
  const { settings } = config;
  const found = [await faultOf(() => lanesOf(settings.strategies, settings.lanes))];
  if (settings.service.baseUrl === null) found.push(await faultOf(() => priceSources(settings.venue)));
  return [...(await strategyFaults(config, folders)), ...found.filter((fault) => fault !== undefined)];
}

/** Of these what is one strategy's: its module, its parameters, its product and amount. */
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
