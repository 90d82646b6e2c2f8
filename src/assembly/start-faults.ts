import type { Fault } from '#config/faults.ts';
import type { LoadedConfig, SkippedEntry } from '#config/load.ts';
import type { Settings, StrategySettings } from '#config/settings.ts';
import { type LoaderOptions, loadStrategy } from '#core/strategy/loader.ts';
import { KairosError } from '#domain/errors.ts';
import { asVolatile, priceSources } from '#paper-venue/prices/sources.ts';
import { leastOfWalk } from '#paper-venue/prices/synthetic.ts';
import { type QuotedProduct, VB_PRODUCTS } from '#paper-venue/products.ts';
import { type PriceRange, unofferedAmounts, unpassableAmounts } from './amount-limits.ts';
import { amountFaults, givenParams, lanesOf, loadStrategies, namingEntry, productFaults, rateFaults } from './assemble.ts';
import { boundInputs } from './bound-inputs.ts';
import { type RateWarning, rateWarnings } from './rate-warnings.ts';
import { budgetsOverAccount, type SharedWarning, sharedWarnings } from './shared-limits.ts';

/** As much of a strategy as its product and amount are held against something: no amount where that cannot be read. */
type ProductWanted = Pick<StrategySettings, 'id' | 'origin' | 'product' | 'inputs'> &
  Partial<Pick<StrategySettings, 'budget'>> & {
    readonly amount: StrategySettings['amount'] | null;
  };

/** Where a strategy's module is looked for, and what its products and amounts are held against. */
export interface CheckedAgainst {
  readonly folders: LoaderOptions;
  readonly productFaults: (strategy: ProductWanted) => readonly KairosError[];
  /** Those of `account.rates`. */
  readonly rateFaults: readonly KairosError[];
  /** What lets a start pass and should be mended all the same. */
  readonly warnings: readonly string[];
}

type Against = Pick<CheckedAgainst, 'folders' | 'productFaults' | 'rateFaults'>;

/** What the embedded paper venue lists and offers, and the limits of value; another service is not asked. */
export function venueFaults(settings: Settings): CheckedAgainst['productFaults'] {
  if (settings.service.baseUrl !== null) return () => [];
  return (strategy) => {
    const product = VB_PRODUCTS.find(({ code }) => code === strategy.product);
    return [
      ...productFaults([strategy], VB_PRODUCTS),
      ...amountFaults([strategy], VB_PRODUCTS),
      ...unofferedAmounts(strategy, `${strategy.origin}: strategy ${strategy.id}: amount`, VB_PRODUCTS),
      ...unpassableAmounts(strategy, settings, product && walkRange(product, settings)),
    ];
  };
}

/** The same of `account.rates`. */
export function venueRateFaults({ service, account }: Settings): readonly KairosError[] {
  if (service.baseUrl !== null) return [];
  const unoffered = account.rates.flatMap((rate) => unofferedAmounts(rate, `${rate.origin}.amount`, VB_PRODUCTS));
  return [...rateFaults(account.rates, VB_PRODUCTS), ...unoffered];
}

/** Rates that are missing on the embedded paper venue; another service is not asked. */
export function venueWarnings(settings: Settings): readonly RateWarning[] {
  if (settings.service.baseUrl !== null) return [];
  const lanes = new Set<string>(lanesOf(settings).map(({ product }) => product));
  const quoted = VB_PRODUCTS.filter(({ code }) => lanes.has(code)).map((one) => ({ ...one, product: one.code }));
  return rateWarnings(settings.strategies, settings, quoted);
}

/** What strategies together come to, at the prices of the embedded paper venue; those of another service are not known. */
export function sharedAtStart(settings: Settings): readonly SharedWarning[] {
  return sharedWarnings(settings.strategies, settings, (code) => {
    const product = embedded(settings, code);
    return product && walkRange(product, settings);
  });
}

/** Budgets over `account.opening`, as far as their currencies are known before any quote. */
export const budgetsAtStart = (settings: Settings): readonly SharedWarning[] =>
  budgetsOverAccount(settings.strategies, settings, (code) => embedded(settings, code)?.quoteCcy);

const embedded = ({ service }: Settings, code: string): QuotedProduct | undefined =>
  service.baseUrl === null ? VB_PRODUCTS.find((one) => one.code === code) : undefined;

/** How far the venue's own market of a product goes either way; not known where a file drives it. */
function walkRange(product: QuotedProduct, { venue: { prices } }: Settings): PriceRange {
  const lowest = prices.source === 'file' && prices.product === product.code ? undefined : leastOfWalk(asVolatile(product, prices));
  return { currency: product.quoteCcy, lowest, highest: lowest === undefined ? undefined : 2 * product.anchor - lowest };
}

/**
 * Why a start would fail although every setting is valid, as far as that shows without starting anything: modules and
 * their parameters, the number of lanes, and with the embedded venue its prices, products and amounts.
 */
export async function startFaults(config: LoadedConfig, against: Against): Promise<readonly Fault[]> {
  const { settings } = config;
  const found = await faultsOf(() => lanesOf(settings));
  const prices = settings.service.baseUrl === null ? await faultsOf(() => priceSources(settings.venue)) : [];
  return [...(await strategyFaults(config, against)), ...found, ...prices];
}

/** The faults of strategies, one by one: their modules, parameters, products and amounts; and those of `account.rates`. */
export async function strategyFaults(
  { settings }: LoadedConfig,
  { folders, productFaults, rateFaults }: Against,
): Promise<readonly Fault[]> {
  const found: Fault[] = [];
  for (const strategy of settings.strategies) {
    found.push(...(await faultsOf(() => loadStrategies({ ...settings, strategies: [strategy] }, folders))));
    if (strategy.enabled) found.push(...productFaults(strategy).map(faultOf));
  }
  found.push(...rateFaults.map(faultOf));
  return found;
}

/** The same of an entry that has faults already, as far as it can be read. */
export async function faultsInPart(
  entry: SkippedEntry,
  { folders, productFaults }: Omit<Against, 'rateFaults'>,
): Promise<readonly Fault[]> {
  const { origin, use, params, inputs, products = [], amount = null } = entry;
  const id = entry.id ?? '(no id)';
  const [product] = products;
  const found: Fault[] = [];
  if (use !== undefined) {
    const ofModule = await faultsOf(async () => {
      const module = await namingEntry({ id, origin }, () => loadStrategy(use, folders));
      const ofParams = params ? givenParams(module, params).faults : [];
      const ofInputs = inputs ? boundInputs(module.definition, { inputs, product: product ?? 'btcusd' }).faults : [];
      const faults = [...ofParams, ...ofInputs];
      if (faults.length > 0) throw new KairosError('CONFIG_INVALID', `${origin}: strategy ${id}: ${faults.join('; ')}`);
    });
    found.push(...ofModule);
  }
  const wanted = products.flatMap((code) => productFaults({ id, origin, product: code, amount, inputs: inputs ?? {} }));
  return [...found, ...wanted.map(faultOf)];
}

async function faultsOf(work: () => unknown): Promise<readonly Fault[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    return [faultOf(error)];
  }
}

const faultOf = ({ code, message }: KairosError): Fault => ({ code, line: message });
