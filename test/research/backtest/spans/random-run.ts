import { ColumnsBuilder } from '#adapters/recording/log-columns.ts';
import { boundStrategy, productText } from '#assembly/assemble.ts';
import { type LoadedConfig, loadConfig } from '#config/load.ts';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import type { LimitSetting } from '#domain/limits.ts';
import { currency, productCode, quoteId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { seeded } from '#domain/seeded.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';
import { Backtest, type BacktestRun } from '#research/backtest/backtest.ts';
import { productsByCode } from '#research/backtest/data.ts';
import { drawnLatency, fixedLatency } from '#research/replay/latency.ts';
import { QuoteSources } from '#research/replay/quote-sources.ts';
import { CASES, type Draw } from './random-strategies.ts';

const FROM = Date.UTC(2026, 0, 5, 23, 50);
const LIMITS = VB_PRODUCTS.map(productText);

/** Values of limits: a backtest by spans is held against one by quotes with every one of them. A limit on the order alone needs none. */
const LIMITS_DRAWN: Readonly<Partial<Record<LimitSetting, readonly unknown[]>>> = {
  'risk.maxOrderValue': ['off', { usd: 700 }, { usd: 2_000 }],
  'risk.maxPositionValue': ['off', { usd: 5_000 }, { usd: 2_000 }],
  'risk.maxExitValue': ['off', { usd: 15_000 }],
  'risk.maxStrategyValue': ['off', { usd: 10_000 }, { usd: 5_000 }],
  'risk.maxTotalValue': ['off', { usd: 50_000 }, { usd: 10_000 }],
  'risk.maxDayValue': ['off', { usd: 100_000 }, { usd: 3_000 }],
  'risk.maxDayLoss': ['off', { usd: 2 }, { usd: 20 }, { usd: 1_000 }],
  'risk.maxDrawdownPct': ['off', 0.01, 0.1, 20],
  'risk.maxOrdersPerMinute': ['off', 3, 60],
  'risk.maxOrdersPerMinuteOfStrategy': ['off', 2, 20],
  'risk.maxOrdersPerMinuteOfProduct': ['off', 30],
  'risk.maxThrottledPerMinute': ['off', 5],
  'risk.maxSpreadPct': ['off', 0.02, 1],
  'risk.maxSlippagePct': ['off', 0.5],
  'risk.maxFeePct': ['off', 1],
  'risk.collarPct': ['off', 0.05, 3],
  'risk.minTimeLeftMs': ['off', 100, 500],
  'risk.duplicateWindowMs': ['off', 3_000],
  'risk.maxUnknown': ['off', 1],
  'risk.maxRejectionStreak': ['off', 2, 5],
  'risk.maxLossStreak': ['off', 2, 5],
  'risk.maxLossStreakOfAll': ['off', 3, 10],
  'risk.lossCooldown': ['15m', '20s'],
};

/** A backtest of random quotes with random settings, which a number decides. */
export interface RandomRun {
  /** In words, for whoever reads of a difference. */
  readonly what: string;
  readonly play: (everyQuote: boolean) => BacktestRun;
  readonly config: LoadedConfig;
  readonly columns: readonly QuoteColumns[];
}

/** `several`: of two lanes whose quotes come without much that is odd, so that most of them can be passed over; `bars`: of imports that share times; `dust`: what is held is dust at some prices. */
export function randomRun(seed: number, rows = 400, { several = false, bars = false, dust = false } = {}): RandomRun {
  const numbers = seeded(`spans/${seed}`);
  const draw: Draw = (below) => Math.floor(numbers.next() * below);
  const oneOf = <T>(...values: readonly T[]): T => values[draw(values.length)] ?? values[0] ?? fail();
  const count = several || draw(3) === 0 ? 2 + draw(2) : 1;
  const products = several || (count > 1 && draw(2) === 0) ? (['btcusd', 'ethusd'] as const) : (['btcusd'] as const);
  const kinds = several ? CASES.filter(({ name }) => HOLDING.has(name)) : CASES;
  const cases = Array.from({ length: count }, () => oneOf(...kinds));
  const entries = cases.map(({ params, entry }, n) => ({
    id: n === 0 ? 'one' : `other${n}`,
    use: 'own',
    ...wantedBy(n, products, several ? () => 1 : draw),
    ...(params && { params: params(draw) }),
    ...entry,
    ...(draw(3) === 0 && { exits: exitsOf(draw) }),
    ...(draw(4) === 0 && { budget: { usd: oneOf(300, 1_000, 100_000) } }),
    ...(draw(12) === 0 && { windows: { open: ['23:52-00:20'] } }),
  }));
  const settings: Record<string, unknown> = {
    strategies: entries,
    'account.allowShort': draw(2) === 0 ? ['btcusd', 'ethusd'] : [],
    ...Object.fromEntries(Object.entries(LIMITS_DRAWN).map(([name, values]) => [name, oneOf<unknown>(...values)])),
    'risk.reducing.collarPct': oneOf<unknown>(0.05, 1, 10),
    'trading.rearmAfter': oneOf('never', '30s', '5m'),
    'service.feeIn': oneOf('quote', 'base', 'received'),
    'backtest.onHalt': oneOf('end', 'continue'),
    'backtest.limits': oneOf('live', 'risk', 'off'),
    'backtest.atEnd': oneOf('keep', 'close'),
    ...(draw(8) === 0 && { 'account.opening': { usd: oneOf(400, 5_000), btc: 1 } }),
    ...(draw(8) === 0 && { schedule: [{ name: 'noon', cron: '*/2 * * * *', action: oneOf('bot.pause', 'bot.resume', 'bot.flatten') }] }),
    'lanes.staleAfter': { btcusd: oneOf('2s', '5s', '60s'), ethusd: oneOf('2s', '60s', '60s') },
  };
  const config = configOf(settings);
  const drawnShape = several
    ? { ...shapeOf(draw), stepMs: oneOf(30, 400), odds: oneOf(0, 0, 400), gaps: oneOf(150, 2_000) }
    : shapeOf(draw);
  const shape: Shape = bars ? { ...drawnShape, ids: 'none', numbered: false, gridMs: oneOf(500, 2_000) } : drawnShape;
  const columns = [columnsOf('btcusd', draw, { rows, shape, size: 0.01 })];
  if (products.length > 1 || draw(6) === 0 || cases.some(({ name }) => name === 'pair'))
    columns.push(columnsOf('ethusd', draw, { rows, shape, size: 0.1 }));
  const imported = draw(2) === 0;
  const latencyMs = oneOf(0, 0, 40, 700, 2_500);
  const drawn = draw(4) === 0;
  const until = draw(8) === 0 ? FROM + draw(rows * 600) : undefined;
  const strategies = config.settings.strategies.map((entry, n) => {
    const definition: MarkedStrategy = cases[n]?.definition ?? fail();
    return { strategy: boundStrategy(entry, { definition }, '1'), sourceHash: 'x' };
  });
  const flows = Array.from({ length: draw(3) }, () => ({
    at: FROM + draw(rows * 500),
    entry: { kind: 'deposit' as const, book: 'treasury', currency: 'usd', amount: String(100 + draw(900)) },
  }));
  // 0.01 bitcoin and 0.1 ether are worth about so much.
  const [ofBtc, ofEth] = dust ? [590 + draw(11), 295 + draw(6)] : [];
  const leasts: Readonly<Record<string, number | undefined>> = { btcusd: ofBtc, ethusd: ofEth };
  const limits = LIMITS.map((one) => ({ ...one, minNotionalValue: String(leasts[one.code] ?? one.minNotionalValue) }));
  const what = `${products.join(' and ')}: ${cases.map(({ name }) => name).join(' + ')}; ${shape.what}; ${imported ? 'imported' : 'recorded'}`;
  const play = (everyQuote: boolean): BacktestRun =>
    new Backtest({
      config,
      strategies,
      run: 'backtest-random',
      sources: new QuoteSources({
        columns,
        products: productsByCode(limits),
        from: FROM,
        to: Number.POSITIVE_INFINITY,
        slippagePct: 0.1,
      }),
      ...(imported && { freshnessOf: () => ({ staleMs: 4_000, revivedBy: 1 }) }),
      products: limits,
      flows,
      inputs: [],
      warmUps: [],
      conditions: undefined,
      latency: drawn ? drawnLatency([5, 900], 'x') : fixedLatency(latencyMs),
      outcomes: drawn
        ? [
            { outcome: 'rejected', httpStatus: 409, body: '{}' },
            { outcome: 'accepted', httpStatus: 200, body: '' },
          ]
        : [],
      from: FROM,
      until,
      everyQuote,
      notice: () => {},
    }).play();
  return { what, play, config, columns };
}

/** Strategies that hold for a while, of quotes and of timers: an order of a timer names the newest quote, which may have been passed over. */
const HOLDING = new Set(['sma-cross', 'buy-and-hold', 'coin-flip', 'grid', 'it takes profit by itself']);

/** The first trades bitcoin, others the last product, mostly in the amount that was recorded. */
function wantedBy(n: number, products: readonly string[], draw: Draw): { readonly product: string; readonly amount: object } {
  const product = products[Math.min(n, products.length - 1)] ?? fail();
  const recorded = { base: product === 'btcusd' ? 0.01 : 0.1 };
  const other = draw(2) === 0 ? { base: 0.02 } : { quote: 600 };
  return { product, amount: n === 0 || draw(4) > 0 ? recorded : other };
}

/** All that came of a run, as text, row by row; what is there besides its rows comes last. */
export function linesOf(run: BacktestRun): readonly string[] {
  const { decisions, engine, oneByOne: _, steps: __, looks: ___, ...figures } = run;
  const parts = engine.inspect(({ market, host, monitor, books, strategies }) => ({
    lanes: [...market.lanes()].map(({ lane, phase, epoch, receivedAt, lastQuoteAt, quarantined, counters }) => [
      lane.id,
      phase,
      epoch,
      receivedAt,
      lastQuoteAt,
      quarantined,
      counters,
    ]),
    asked: strategies.map(({ id }) => [
      id,
      host.runners.byId.get(id)?.counts,
      host.runners.byId.get(id)?.firstAskedAt,
      host.runners.byId.get(id)?.failuresInARow,
      host.isDisabled(id),
      host.observed(id),
    ]),
    profit: monitor.measures(run.endedAt).profit,
    positions: [...books.positions()].map(({ strategy, product, size }) => [strategy, product, size.toString()]),
  }));
  return [...decisions.map((one) => JSON.stringify(one)), JSON.stringify(figures), JSON.stringify(parts)];
}

function configOf(settings: Readonly<Record<string, unknown>>) {
  const set = Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return loadConfig({ files: null, set, env: {}, cwd: '/' });
}

function exitsOf(draw: Draw): Readonly<Record<string, number | boolean>> {
  const pct = () => (1 + draw(60)) / 100;
  const trailing = draw(2) === 0 ? { trailingPct: pct(), ...(draw(2) === 0 && { activateAtPct: pct() }) } : {};
  return {
    stopLossPct: pct(),
    ...(draw(2) === 0 && { takeProfitPct: pct() }),
    ...trailing,
    ...(draw(3) === 0 && { maxHoldSeconds: 5 + draw(120) }),
    net: draw(2) === 0,
  };
}

/** What the quotes of a run are like, and how often something odd is among them. */
interface Shape {
  readonly what: string;
  readonly stepMs: number;
  readonly odds: number;
  /** One pause comes in so many quotes. */
  readonly gaps: number;
  readonly walk: number;
  readonly spread: number;
  readonly ids: 'none' | 'all' | 'most' | 'repeated';
  readonly numbered: boolean;
  /** All times are multiples of it. */
  readonly gridMs?: number;
}

function shapeOf(draw: Draw): Shape {
  const stepMs = [30, 400, 2_000, 9_000][draw(4)] ?? 400;
  const odds = [0, 0, 400, 40][draw(4)] ?? 0;
  const ids = (['none', 'none', 'all', 'most', 'repeated'] as const)[draw(5)] ?? 'none';
  const spread = [0, 1, 20][draw(3)] ?? 0;
  const walk = [2, 12, 60][draw(3)] ?? 12;
  const gaps = draw(2) === 0 ? 40 : 2_000;
  return { what: `some ${stepMs} ms, one odd in ${odds}, ids: ${ids}`, stepMs, odds, gaps, walk, spread, ids, numbered: draw(2) === 0 };
}

function columnsOf(
  code: 'btcusd' | 'ethusd',
  draw: Draw,
  { rows, shape, size }: { rows: number; shape: Shape; size: number },
): QuoteColumns {
  const product = productCode(code);
  const lane = laneFor(product, amountOf({ base: String(size) }));
  const names = { product, baseCcy: currency(code.slice(0, 3)), quoteCcy: currency('usd'), lane: lane.id };
  const isOdd = () => shape.odds > 0 && draw(shape.odds) === 0;
  const idOf = (n: number) => quoteId(`0000000${code === 'btcusd' ? 'c' : 'd'}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`);
  const builder = new ColumnsBuilder({ ...names });
  const step = code === 'btcusd' ? 1 : 0.0625;
  let [at, price, epoch] = [FROM, code === 'btcusd' ? 60_000 : 3_000, 1];
  for (let n = 0; n < rows; n++) {
    at += draw(shape.gaps) === 0 ? draw(draw(4) === 0 ? 600_000 : 90_000) : draw(2 * shape.stepMs);
    if (shape.gridMs !== undefined) at = (Math.floor(at / shape.gridMs) + 1) * shape.gridMs;
    price = Math.max(1, price + (draw(2 * shape.walk + 1) - shape.walk) * step);
    if (isOdd()) epoch += 1;
    const jumped = isOdd() ? price * 1.4 : price;
    const sold = isOdd() ? jumped + 50 : jumped;
    const buy = side(jumped + draw(shape.spread + 1) * step, isOdd() ? size * 3 : size);
    const quote: Quote = {
      id:
        shape.ids === 'none' || (shape.ids === 'most' && draw(9) === 0)
          ? null
          : idOf(1 + (shape.ids === 'repeated' && draw(20) === 0 ? draw(n + 1) : n)),
      ...names,
      buy,
      sell: side(isOdd() ? 0 : sold, size),
      feePercentage: 0.1,
      spread: buy.price - sold,
      spreadPercentage: 0,
      dailyChangePercentage: 0,
      validUntil: at + 500 + draw(3_000),
      epoch,
    };
    builder.add({ line: 2 * n + (code === 'btcusd' ? 0 : 1), n: shape.numbered && !isOdd() ? n + 1 : null, at }, quote);
  }
  return builder.columns();
}

function side(price: number, size: number) {
  const value = price * size;
  return { price, size, value, feeInBaseCcy: size / 1_000, feeInQuoteCcy: value / 1_000, slippage: 0, slippagePercentage: 0 };
}

function fail(): never {
  throw new Error('nothing to draw from');
}
