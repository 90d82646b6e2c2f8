import type { RateLane, Settings, StrategySettings } from '#config/settings.ts';
import type { EngineStrategy } from '#core/engine/engine-options.ts';
import { strategy } from '#core/strategy/contract.ts';
import { hold } from '#core/strategy/intents.ts';
import { loadStrategy, sourceHashOf } from '#core/strategy/loader.ts';
import { readParams } from '#core/strategy/params.ts';
import { paramConflict, startFault } from '#core/strategy/start-check.ts';
import { decimalOf, decimalsByCurrency, isMultipleOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { ProductText } from '#domain/event.ts';
import { type Lane, laneFor } from '#domain/lane.ts';
import { type Mode, modeFacts } from '#domain/mode.ts';
import { type LaneId, type ProductCode, productCode, strategyId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import { boundInputs } from './bound-inputs.ts';
import { guarded } from './load-guard.ts';

/** Opening capital of a strategy that names none, in its product's quote currency; paper only. */
export const DEFAULT_BUDGET = decimalOf(10_000);

/**
 * The standing lanes: one for each product and amount, shared by strategies, and those of `account.rates`. Throws CONFIG_INVALID for more
 * than `lanes.max`.
 */
export function lanesOf(
  { strategies, account: { rates }, lanes }: Pick<Settings, 'strategies' | 'account' | 'lanes'>,
  { max, reserve }: { readonly max: number; readonly reserve: number } = lanes,
): readonly Lane[] {
  const all = lanesFor([...strategies.flatMap(wantedBy), ...rates]);
  if (all.length + reserve > max) {
    const who = rates.length === 0 ? 'the strategies' : 'the strategies and account.rates';
    throw new KairosError(
      'CONFIG_INVALID',
      `lanes.max: ${who} need ${all.length} lanes, lanes.reserve keeps ${reserve}, and ${max} are allowed; raise it or trade fewer amounts`,
    );
  }
  return all;
}

/** True for a lane that is there for its price alone: no strategy trades on it or hears of it. */
export function isForPrice({ strategies, account }: Pick<Settings, 'strategies' | 'account'>, lane: LaneId): boolean {
  return lanesFor(account.rates).some(({ id }) => id === lane) && !isLaneOf(strategies, lane);
}

/** True for a lane on which one of the strategies trades, or of which it hears. */
export const isLaneOf = (strategies: Settings['strategies'], lane: LaneId): boolean =>
  lanesFor(strategies.flatMap(wantedBy)).some(({ id }) => id === lane);

function lanesFor(wanted: readonly { readonly product: string; readonly amount: Lane['amount'] | null }[]): readonly Lane[] {
  const lanes = new Map<LaneId, Lane>();
  for (const { product, amount } of wanted) {
    if (amount === null) continue;
    const lane = laneFor(productCode(product), amount);
    lanes.set(lane.id, lane);
  }
  return [...lanes.values()];
}

/** A loaded strategy with the hash of its source, which the run keeps. */
export interface LoadedStrategy {
  readonly strategy: EngineStrategy;
  readonly sourceHash: string;
}

/** Loads a module for an entry; errors get the entry's line of the configuration. Throws what `work` throws. */
export async function namingEntry<T>({ id, origin }: Pick<StrategySettings, 'id' | 'origin'>, work: () => Promise<T>): Promise<T> {
  try {
    return await guarded(id, work);
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    throw new KairosError(error.code, `${origin}: strategy ${id}: use: ${error.message}`, { cause: error });
  }
}

/** How modules are loaded. */
export interface LoadHooks {
  /** Strategies whose modules are not loaded and which do nothing. */
  readonly skip: ReadonlySet<string>;
  /** Called when a strategy's module begins to load, and with null when it is loaded. */
  readonly enter: (id: string | null) => void;
}

/** Replaces a strategy whose module is not loaded. */
const NOT_LOADED = strategy({
  name: 'not-loaded',
  signals: ({ quotes$ }) => quotes$,
  decide: () => hold('its module was not loaded: restart the daemon'),
});

/** Loads the modules of all strategies and reads their parameters. Throws a KairosError naming the setting at fault. */
export async function loadStrategies(
  settings: Settings,
  where: { cwd: string; packaged: string },
  loading: LoadHooks = { skip: new Set(), enter: () => {} },
): Promise<readonly LoadedStrategy[]> {
  const loaded: LoadedStrategy[] = [];
  for (const entry of settings.strategies) {
    if (loading.skip.has(entry.id)) {
      const idle = instanceOf(entry, { definition: NOT_LOADED, params: {}, inputs: {}, seed: settings.trading.seed });
      loaded.push({ strategy: idle, sourceHash: await sourceHashOf(entry.use, where) });
      continue;
    }
    loading.enter(entry.id);
    const module = await namingEntry(entry, () => loadStrategy(entry.use, where));
    // Its `where`, `warmup` and `state` are its code as well.
    loaded.push({ strategy: boundStrategy(entry, module, settings.trading.seed), sourceHash: module.sourceHash });
    loading.enter(null);
  }
  return loaded;
}

type BoundModule = Pick<EngineStrategy, 'definition' | 'origin'>;

/** The parameters of an entry, and their faults, one by one and together. */
export function givenParams(
  { definition, origin }: BoundModule,
  params: StrategySettings['params'],
): { readonly values: EngineStrategy['params']; readonly faults: readonly string[] } {
  const specs = definition.params ?? {};
  const { values, faults } = readParams(specs, params);
  // Unknown names are reported separately; the values of known ones are checked all the same.
  const known = Object.entries(params).filter(([name]) => Object.hasOwn(specs, name));
  const clash = readParams(specs, Object.fromEntries(known)).faults.length === 0 ? paramConflict(definition, values, origin) : undefined;
  return { values, faults: clash === undefined ? faults : [...faults, clash] };
}

/** A strategy with the parameters and inputs of its entry. Throws a KairosError naming the setting at fault. */
export function boundStrategy(entry: StrategySettings, { definition, origin }: BoundModule, seed: string): EngineStrategy {
  const { values, faults } = givenParams({ definition, origin }, entry.params);
  const bound = boundInputs(definition, entry);
  const all = [...faults, ...bound.faults];
  if (all.length > 0) throw new KairosError('CONFIG_INVALID', `${entry.origin}: strategy ${entry.id}: ${all.join('; ')}`);
  const wrong = startFault(definition, values);
  if (wrong !== undefined) throw new KairosError('STRATEGY_INVALID', `${entry.origin}: strategy ${entry.id}: ${wrong}`);
  return instanceOf(entry, { definition, params: values, inputs: bound.inputs, seed, origin });
}

function instanceOf(
  entry: StrategySettings,
  parts: Pick<EngineStrategy, 'definition' | 'params' | 'seed' | 'origin'> & { readonly inputs: NonNullable<EngineStrategy['inputs']> },
): EngineStrategy {
  const product = productCode(entry.product);
  return {
    id: strategyId(entry.id),
    lane: laneFor(product, entry.amount).id,
    product,
    amount: entry.amount,
    budget: entry.budget && decimalsByCurrency(entry.budget),
    exits: entry.exits,
    windows: entry.windows,
    enabled: entry.enabled,
    ...parts,
    seed: `${parts.seed}/${entry.id}`,
  };
}

/**
 * Checks the configured products and amounts against the service's products. Throws a KairosError naming the first strategy or rate
 * whose product is unknown or whose amount breaks the product's limits (spec 2.6). Throws SERVICE_UNREADABLE, after which a
 * process manager restarts, if the record of a strategy's product cannot be read.
 */
export function checkProducts(
  { strategies, rates }: { readonly strategies: readonly StrategySettings[]; readonly rates: readonly RateLane[] },
  products: readonly Product[],
  leftOut: ReadonlyMap<string, string> = new Map(),
): void {
  const [fault] = [...productFaults(strategies, products, leftOut), ...amountFaults(strategies, products), ...rateFaults(rates, products)];
  if (fault) throw fault;
}

/** The products of strategies that the service does not quote, one error each. */
export function productFaults(
  strategies: readonly WithProducts[],
  products: readonly Product[],
  leftOut: ReadonlyMap<string, string> = new Map(),
): readonly KairosError[] {
  const known = new Set(products.map(({ code }) => code));
  return strategies.flatMap(wantedBy).flatMap(({ strategy, product }) => {
    if (known.has(product)) return [];
    const unread = [...leftOut].find(([name]) => name.toLowerCase() === `product ${product}`);
    const at = `${strategy.origin}: strategy ${strategy.id}`;
    if (!unread) return [unknownProduct(at, product, products)];
    const mend = 'take the strategy out, or set enabled: false';
    return [new KairosError('SERVICE_UNREADABLE', `${at}: the service lists ${product}, which cannot be traded: ${unread[1]}; ${mend}`)];
  });
}

/** The entries of `account.rates` that the service does not quote, or not in their amount, one error each. */
export function rateFaults(rates: readonly RateLane[], products: readonly Product[]): readonly KairosError[] {
  return rates.flatMap(({ product: code, amount, origin }) => {
    const product = products.find((one) => one.code === code);
    if (!product) return [unknownProduct(origin, code, products)];
    const fault = amountFault(amount, product);
    return fault === undefined ? [] : [new KairosError('CONFIG_INVALID', `${origin}.amount.${fault}`)];
  });
}

function unknownProduct(at: string, product: string, products: readonly Product[]): KairosError {
  const known = products.map(({ code }) => code).join(', ');
  return new KairosError('PRODUCT_UNKNOWN', `${at}: the service quotes no product ${product}; it quotes ${known}: ${OWN_PRICES}`);
}

const OWN_PRICES =
  'take one of these, or name another service in service.baseUrl; imported prices are for backtest and sweep (check by config check --data)';

/** The amounts that break a limit of their product, one error each; only known products count. */
export function amountFaults(strategies: readonly WithProducts[], products: readonly Product[]): readonly KairosError[] {
  const byCode = new Map<ProductCode, Product>(products.map((product) => [product.code, product]));
  return strategies.flatMap(wantedBy).flatMap(({ strategy, product: code, amount, where }) => {
    const product = byCode.get(code);
    const fault = product && amount && amountFault(amount, product);
    return fault ? [new KairosError('CONFIG_INVALID', `${strategy.origin}: strategy ${strategy.id}: ${where}amount.${fault}`)] : [];
  });
}

/** The part of a strategy that names products; the amount is null if it is unknown. */
type WithProducts = Pick<StrategySettings, 'id' | 'origin' | 'product' | 'inputs'> & { readonly amount: StrategySettings['amount'] | null };

/** The product of a strategy and those of its inputs; display inputs have no amount. */
export function wantedBy<Strategy extends WithProducts>(strategy: Strategy) {
  const bound = Object.entries(strategy.inputs).map(([name, input]) => ({ ...input, where: `inputs.${name}.` }));
  return [{ ...strategy, where: '' }, ...bound].map(({ product, amount, where }) => ({
    strategy,
    product: productCode(product),
    amount,
    where,
  }));
}

/** Why an amount cannot be quoted by the product's limits (spec 2.6); undefined if it can. */
export function amountFault(amount: StrategySettings['amount'], product: Product): string | undefined {
  if ('quote' in amount) {
    return amount.quote.lt(product.minNotionalValue)
      ? `quote: must be at least ${product.code}'s minNotionalValue ${product.minNotionalValue}`
      : undefined;
  }
  if (amount.base.lt(product.minSize)) return `base: must be at least ${product.code}'s minSize ${product.minSize}`;
  return isMultipleOf(amount.base, product.sizeIncrement)
    ? undefined
    : `base: must be a multiple of ${product.code}'s sizeIncrement ${product.sizeIncrement}`;
}

/** A product in the form of recordings and the journal; `productOf` reads it back. */
export function productText(product: Product): ProductText {
  return {
    code: product.code,
    minSize: product.minSize.toString(),
    minNotionalValue: product.minNotionalValue.toString(),
    sizeIncrement: product.sizeIncrement.toString(),
    priceIncrement: product.priceIncrement.toString(),
  };
}

/** The book that a journal may belong to: `paper` for every loopback venue, else mode, address and user, `anonymous` for none. */
export function bookOf({ mode, settings }: { readonly mode: Mode; readonly settings: Settings }): string {
  const { baseUrl, userId } = settings.service;
  return modeFacts(mode).isForTrials ? mode : `${mode} ${baseUrl} ${userId ?? 'anonymous'}`;
}
