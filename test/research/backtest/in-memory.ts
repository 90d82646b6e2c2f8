import { ColumnsBuilder } from '#adapters/recording/log-columns.ts';
import { boundStrategy, productText } from '#assembly/assemble.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { currency, type Millis, productCode, quoteId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';
import { Backtest, type BacktestRun } from '#research/backtest/backtest.ts';
import { productsByCode } from '#research/backtest/data.ts';
import type { RecordedInput } from '#research/backtest/recorded-events.ts';
import { fixedLatency } from '#research/replay/latency.ts';
import { QuoteSources } from '#research/replay/quote-sources.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { OFF } from './session-bench.ts';

export const FROM = Date.UTC(2026, 0, 5, 9);
const lane = laneFor(productCode('btcusd'), { base: decimalOf('0.01') });
const products = VB_PRODUCTS.map(productText);

/** A quote so long after the one before it, and how long it lives. */
export interface Step {
  readonly afterMs: number;
  readonly livesMs: number;
  /** In base currency; that of the lane unless said. */
  readonly size?: number;
}

export interface Played {
  readonly quotes: readonly Step[];
  readonly definition: MarkedStrategy;
  readonly latencyMs: number;
  readonly inputs?: readonly RecordedInput[];
  readonly everyQuote?: boolean;
  readonly settings?: string;
  readonly risk?: string;
}

function quoteOf(n: number, validUntil: Millis, size = 0.01): Quote {
  const price = 60_000 + (n % 7);
  const side = {
    price,
    size,
    value: price / 100,
    feeInBaseCcy: 0.00001,
    feeInQuoteCcy: price / 100_000,
    slippage: 0,
    slippagePercentage: 0,
  };
  const id = quoteId(`0000000c-0000-4000-8000-${n.toString(16).padStart(12, '0')}`);
  const names = { product: lane.product, baseCcy: currency('btc'), quoteCcy: currency('usd'), lane: lane.id };
  return {
    id,
    ...names,
    buy: side,
    sell: side,
    feePercentage: 0.1,
    spread: 0,
    spreadPercentage: 0,
    dailyChangePercentage: 0,
    validUntil,
    epoch: 1,
  };
}

/** Read once each: a property asks for the same again and again. */
const configs = new Map<string, LoadedConfig>();

function configWith(yaml: string): LoadedConfig {
  const config = configs.get(yaml) ?? configOf(yaml);
  configs.set(yaml, config);
  return config;
}

/** Settings, the strategy and quotes at their times, as a backtest or a run in virtual time begins with them. */
export function prepared({ quotes, definition, settings = '', risk = 'minTimeLeftMs: off' }: Omit<Played, 'latencyMs'>) {
  const config = configWith(
    `${strategyYaml()}${OFF.replace('risk: {', `risk: { ${risk}, maxDayValue: off, maxDrawdownPct: off, maxDayLoss: off,`)}${settings}`,
  );
  let at = FROM;
  const made = quotes.map(({ afterMs, livesMs, size }, n) => {
    at += afterMs;
    return { at, quote: quoteOf(n + 1, at + livesMs, size) };
  });
  const [entry] = config.settings.strategies;
  if (!entry) throw new Error('no entry');
  return { config, products, lane, quotes: made, strategies: [{ strategy: boundStrategy(entry, { definition }, '1'), sourceHash: 'x' }] };
}

/** A backtest of quotes that were never in a file. */
export function played(asked: Played): BacktestRun {
  const { latencyMs, inputs = [], everyQuote = false } = asked;
  const { config, strategies, quotes } = prepared(asked);
  const columns = new ColumnsBuilder(quoteOf(0, 0));
  for (const [n, { at, quote }] of quotes.entries()) columns.add({ line: n, n: n + 1, at }, quote);
  return new Backtest({
    config,
    strategies,
    run: 'backtest-timers',
    sources: new QuoteSources({
      columns: [columns.columns()],
      products: productsByCode(products),
      from: FROM,
      to: Number.POSITIVE_INFINITY,
      slippagePct: 0,
    }),
    products,
    flows: [],
    inputs,
    everyQuote,
    warmUps: [],
    conditions: undefined,
    latency: fixedLatency(latencyMs),
    outcomes: [],
    from: FROM,
    notice: () => {},
  }).play();
}
