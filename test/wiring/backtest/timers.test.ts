import { fc, test } from '@fast-check/vitest';
import { merge, take } from 'rxjs';
import { describe, expect } from 'vitest';
import { decimalOf } from '../../../src/domain/decimal.ts';
import { laneFor } from '../../../src/domain/lane.ts';
import { currency, type Millis, productCode, quoteId } from '../../../src/domain/names.ts';
import type { Quote } from '../../../src/domain/quote.ts';
import { ColumnsBuilder } from '../../../src/recording/columns-builder.ts';
import { fixedLatency } from '../../../src/replay/latency.ts';
import { QuoteSources } from '../../../src/replay/quote-sources.ts';
import type { MarkedStrategy } from '../../../src/strategy/contract.ts';
import { buy, sell, strategy } from '../../../src/strategy/index.ts';
import { VB_PRODUCTS } from '../../../src/venue/products.ts';
import { boundStrategy, productText } from '../../../src/wiring/assemble.ts';
import { Backtest, type BacktestRun } from '../../../src/wiring/backtest/backtest.ts';
import { productsByCode } from '../../../src/wiring/backtest/data.ts';
import type { LoadedConfig } from '../../../src/wiring/config/load.ts';
import { configOf, strategyYaml } from '../config/support.ts';
import { OFF, ofKind } from './session.ts';

const FROM = Date.UTC(2026, 0, 5, 9);
const lane = laneFor(productCode('btcusd'), { base: decimalOf('0.01') });
const products = VB_PRODUCTS.map(productText);

/** A quote so long after the one before it, and how long it lives. */
interface Step {
  readonly afterMs: number;
  readonly livesMs: number;
  /** In base currency; that of the lane unless said. */
  readonly size?: number;
}

interface Played {
  readonly quotes: readonly Step[];
  readonly definition: MarkedStrategy;
  readonly latencyMs: number;
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

/** A backtest of quotes that were never in a file. */
function played({ quotes, definition, latencyMs, settings = '', risk = 'minTimeLeftMs: off' }: Played): BacktestRun {
  const config = configWith(
    `${strategyYaml()}${OFF.replace('risk: {', `risk: { ${risk}, maxDayValue: off, maxDrawdownPct: off, maxDayLoss: off,`)}${settings}`,
  );
  const columns = new ColumnsBuilder(quoteOf(0, 0));
  let at = FROM;
  for (const [n, { afterMs, livesMs, size }] of quotes.entries()) {
    at += afterMs;
    columns.add({ line: n, n: n + 1, at }, quoteOf(n + 1, at + livesMs, size));
  }
  const [entry] = config.settings.strategies;
  if (!entry) throw new Error('no entry');
  return new Backtest({
    config,
    strategies: [{ strategy: boundStrategy(entry, { definition }, '1'), sourceHash: 'x' }],
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
    shown: [],
    warmUps: [],
    conditions: undefined,
    latency: fixedLatency(latencyMs),
    outcomes: [],
    from: FROM,
    notice: () => {},
  }).play();
}

/** Trades at each of its timers, at each quote as well where it is told to. */
const ticking = (periods: readonly number[], more: { readonly onQuotes: boolean; readonly concurrent: boolean }): MarkedStrategy =>
  strategy({
    name: 'ticking',
    concurrent: more.concurrent,
    signals: ({ quotes$, every }) => merge(...periods.map((period) => every(period)), ...(more.onQuotes ? [quotes$] : [])),
    decide: (_signal, { position, amount }) => (position.isLong ? sell('position', 'out') : buy(amount, 'in')),
  });

/** Every order with when it was decided, and every later word on it. */
function ordersOf({ decisions }: BacktestRun) {
  const words = Map.groupBy(decisions, ({ orderId }) => orderId);
  return ofKind({ decisions }, 'approved').map(({ at, orderId, detail }) => ({
    decidedAt: at,
    validUntil: detail.order.validUntil,
    words: (words.get(orderId) ?? [])
      .filter(({ kind }) => !['intent', 'approved', 'sent'].includes(kind))
      .map(({ kind, at: heardAt }) => `${kind} +${heardAt - at}`),
  }));
}

const lives = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 300, max: 3000 }));
const steps = fc.array(fc.record({ afterMs: fc.nat(1500), livesMs: lives }), { minLength: 5, maxLength: 40 });
const periods = fc.array(fc.integer({ min: 3, max: 2000 }), { minLength: 0, maxLength: 3 });
const latency = fc.oneof(fc.constant(0), fc.nat(900));
const MARGIN_MS = 100;
const ANSWER_MS = 1000;

describe('what happens between two quotes', () => {
  test.prop({ quotes: steps, periods, onQuotes: fc.boolean(), concurrent: fc.boolean(), latencyMs: latency }, { numRuns: 100 })(
    'an order arrives its latency after the decision, and is answered as late again or unknown at its time',
    ({ quotes, periods, onQuotes, concurrent, latencyMs }) => {
      const definition = ticking(periods, { onQuotes: onQuotes || periods.length === 0, concurrent });
      const run = played({ quotes, definition, latencyMs, settings: `service: { answerMs: ${ANSWER_MS} }\n` });
      for (const { decidedAt, validUntil, words } of ordersOf(run)) {
        const answer = `${decidedAt + latencyMs > validUntil ? 'rejected' : 'accepted'} +${2 * latencyMs}`;
        if (validUntil - decidedAt <= MARGIN_MS) expect(words).toEqual(['expired +0']);
        else expect(words).toEqual(2 * latencyMs > ANSWER_MS ? [`unknown +${ANSWER_MS}`, answer] : [answer]);
      }
      // The row that ends a streak of refusals has the time of the last of them.
      const times = run.decisions.filter(({ kind }) => kind !== 'refused').map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    },
  );

  test.prop({ quotes: steps, at: fc.integer({ min: 1, max: 4000 }), withinMs: fc.integer({ min: 1, max: 4000 }), latencyMs: latency })(
    'an intent at work lapses at its own time, or when the answer comes that it waits for then',
    ({ quotes, at, withinMs, latencyMs }) => {
      const definition = strategy({
        name: 'patient',
        signals: ({ every }) => every(at).pipe(take(1)),
        // At most one quote of seven is as cheap.
        decide: (_signal, { amount }) => buy(amount, 'cheap', { limit: 60_000, within: withinMs }),
      });
      const run = played({ quotes, definition, latencyMs });
      const [lapsed] = ofKind(run, 'lapsed');
      const waitedFor = ordersOf(run).at(-1);
      const end = FROM + at + withinMs;
      if (lapsed) expect([end, (waitedFor?.decidedAt ?? 0) + 2 * latencyMs]).toContain(lapsed.at);
      for (const { decidedAt } of ordersOf(run)) expect(decidedAt).toBeLessThan(end);
      if (run.endedAt > end + 2 * latencyMs) expect(lapsed !== undefined).toBe(ofKind(run, 'accepted').length === 0);
    },
  );

  test('the quote of a timer between two quotes is the newest that its lane has accepted', () => {
    const run = played({
      quotes: [
        { afterMs: 0, livesMs: 3000 },
        { afterMs: 300, livesMs: 3000, size: 0.02 },
        { afterMs: 1000, livesMs: 3000 },
      ],
      definition: ticking([500], { onQuotes: false, concurrent: false }),
      latencyMs: 50,
    });
    expect(ordersOf(run)[0]).toMatchObject({ decidedAt: FROM + 500, validUntil: FROM + 3000, words: ['accepted +100'] });
  });

  test('what an opening must have left is what orders really took', () => {
    const quotes = Array.from({ length: 60 }, () => ({ afterMs: 900, livesMs: 3000 }));
    const definition = ticking([1000], { onQuotes: false, concurrent: false });
    const run = played({ quotes, definition, latencyMs: 50, settings: '', risk: 'minTimeLeftMs: 300' });
    const limits = ofKind(run, 'approved').map(({ detail }) => detail.checks.find(({ check }) => check === 'TIME_LEFT')?.limit);
    expect(limits.length).toBeGreaterThan(20);
    // Openings wait for the round trip on top, closings do not.
    expect([...new Set(limits.slice(2))]).toEqual([400, 300]);
    expect(ofKind(run, 'refused')).toEqual([]);
  });
});
