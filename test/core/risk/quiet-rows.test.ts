import { expect, test } from 'vitest';
import type { Limits } from '#core/risk/limits.ts';
import type { MonitoredLane } from '#core/risk/risk-monitor.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency, laneIdOf, productCode, strategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { QuoteTape } from '#domain/quote-tape.ts';
import { seeded } from '#domain/seeded.ts';
import { usd } from '../../support/limits.ts';
import { BTC, quote } from '../../support/market-data.ts';
import { orderOf } from '../../support/orders.ts';
import { type Figures, figuresOf } from './figures.ts';
import { monitored, T } from './monitored.ts';

const ROWS = 150;

interface Row {
  readonly at: number;
  readonly buy: number;
  readonly sell: number;
}

/** A walk of prices with pauses, some of them so long that a look is due or a day begins. */
function walk(seed: string): readonly Row[] {
  const { next } = seeded(seed);
  let [at, price] = [T, 60_000];
  return Array.from({ length: ROWS }, () => {
    at += [100, 500, 500, 15_000, 70_000][Math.floor(next() * 5)] ?? 500;
    if (next() < 0.003) at += 86_400_000;
    price += Math.round((next() - 0.5) * (next() < 0.1 ? 2000 : 100));
    return { at, buy: price + 5, sell: price - 5 };
  });
}

function columnsOf(rows: readonly Row[], product = BTC, lines: 0 | 1 = 0): QuoteColumns {
  const column = (of: (row: Row) => number): Float64Array => Float64Array.from(rows, of);
  const sides = { buy: { price: column(({ buy }) => buy) }, sell: { price: column(({ sell }) => sell) } };
  const line = Float64Array.from(rows, (_, row) => 2 * row + lines);
  return { product, length: rows.length, line, at: column(({ at }) => at), ...sides } as unknown as QuoteColumns;
}

type Monitored = ReturnType<typeof monitored>;
const quoteOf = ({ at, buy, sell }: Row) => quote({ id: null, buy, sell, validUntil: at + 3000 });

function play(m: Monitored, row: Row): void {
  m.at(row.at);
  m.monitor.quoted(quoteOf(row), row.at, m.lane);
}

/** Plays rows as a backtest does: it passes over those of which it is told that nothing comes. Returns how many it did not pass over. */
function playQuietly(m: Monitored, rows: readonly Row[]): number {
  const columns = columnsOf(rows);
  const tape = new QuoteTape(ROWS);
  let played = 0;
  for (let from = 0; from < rows.length; ) {
    tape.fill([{ columns, from }], ROWS, Number.POSITIVE_INFINITY);
    const end = m.monitor.quiet.lookAhead([m.lane], tape, tape.length);
    const to = from + end;
    const last = rows[to - 1];
    if (to > from && last) {
      m.at(last.at);
      m.monitor.quiet.pass([m.lane], tape, { end, last: [{ quote: quoteOf(last), at: last.at }] });
    }
    const row = rows[to];
    if (row) {
      play(m, row);
      played += 1;
    }
    from = to + 1;
  }
  return played;
}

/** What the checks of an order are told, each of them. */
const told = (figures: Figures): Readonly<Record<keyof Figures, unknown>> => ({
  ordersInMinute: figures.ordersInMinute(),
  ordersInMinuteOfStrategy: figures.ordersInMinuteOfStrategy(),
  ordersInMinuteOfProduct: figures.ordersInMinuteOfProduct(),
  dayValue: figures.dayValue(),
  strategyExposure: figures.strategyExposure(),
  totalExposure: figures.totalExposure(),
  rate: figures.rate('btc', 'usd', 1),
  medianPrice: figures.medianPrice(),
  roundTripP99Ms: figures.roundTripP99Ms(),
  sinceTwinMs: figures.sinceTwinMs(),
  openingWaitMs: figures.openingWaitMs(),
  exitWaitMs: figures.exitWaitMs(),
  cooldownLeftMs: figures.cooldownLeftMs(),
  unknowns: figures.unknowns(),
  funds: figures.funds(currency('usd')),
});

/** All that may differ: rows of the journal, the state, what is measured, and what checks are told. */
function came(m: Monitored, rows: readonly Row[]) {
  const now = rows.at(-1)?.at ?? T;
  const { profit, limits, drawdown } = m.monitor.measures(now);
  const { stops } = m.state;
  const figures = told(figuresOf(m.monitor, orderOf({ at: now })));
  return { journal: m.rows.story(), measured: m.measured(), stops, profit, limits, drawdown, figures };
}

const limits: Partial<Limits> = { maxDayLoss: usd(150), maxDrawdownPct: 2 };
const cases: readonly [string, Partial<Limits>, 'buy' | 'sell' | null, number | null][] = [
  ['nothing was traded', limits, null, null],
  ['long', limits, 'buy', null],
  ['short', limits, 'sell', null],
  ['long, until a day has lost too much', { maxDayLoss: usd(20) }, 'buy', null],
  ['short, until the drawdown is too deep', { maxDrawdownPct: 0.3 }, 'sell', null],
  ['long, until the drawdown is too deep', { maxDrawdownPct: 0.3 }, 'buy', null],
  ['long, and REDUCING by a day loss ends by itself', { maxDayLoss: usd(20) }, 'buy', 90_000],
  ['long, without limits', {}, 'buy', null],
  ['long, with a limit in another currency', { maxDayLoss: new Map([['sek', decimalOf(5)]]) }, 'buy', null],
  ['long, and REDUCING ends by itself', limits, 'buy', 90_000],
  ['short, and REDUCING ends by itself', limits, 'sell', 200_000],
];

test.each(cases)('rows that are passed over come to what each of them would have come to: %s', (_, given, side, rearmAfterMs) => {
  for (const seed of ['a', 'b']) {
    const rows = walk(`quiet ${seed}`);
    const [each, quietly] = [monitored(given, rearmAfterMs), monitored(given, rearmAfterMs)];
    for (const m of [each, quietly]) {
      if (side === null) continue;
      m.ordered({ side, size: '0.05' });
      // Beside it one that has closed.
      m.ordered({ strategy: strategyId('other'), size: '0.01' });
      m.ordered({ strategy: strategyId('other'), size: '0.01', side: 'sell', price: '60010' });
    }
    for (const row of rows) play(each, row);
    const played = playQuietly(quietly, rows);
    expect(came(quietly, rows)).toEqual(came(each, rows));
    if (given === limits) expect(played, 'most rows are quiet').toBeLessThan(ROWS / 2);
  }
});

test.each([
  ['until what is measured has to be journaled', '60100'],
  ['not where it has lost too much', '55000'],
])('after the close of a position rows are passed over, %s', (_, price) => {
  const rows = walk('closed');
  const [each, quietly] = [monitored(limits), monitored(limits)];
  for (const m of [each, quietly]) {
    m.ordered({ size: '0.05' });
    m.ordered({ side: 'sell', size: '0.05', price });
  }
  for (const row of rows) play(each, row);
  playQuietly(quietly, rows);
  expect(came(quietly, rows)).toEqual(came(each, rows));
});

const ETH = productCode('ethusd');

test.each([
  ['a position in each', 'buy', 'sell'],
  ['two long ones', 'buy', 'buy'],
  ['two short ones', 'sell', 'sell'],
  ['one the other way round', 'sell', 'buy'],
  ['a position in one of them', 'buy', null],
  ['the same, short', null, 'sell'],
] as const)('rows of two products come to what each of them would have come to, added up in their order: %s', (title, btc, eth) => {
  const prices = [walk(`${title}, one`), walk(`${title}, other`)] as const;
  const lanes = [BTC, ETH].map((product, lane) => ({
    product,
    rows: prices[lane] ?? [],
    columns: columnsOf(prices[lane] ?? [], product, lane === 0 ? 0 : 1),
  }));
  const quoteFor = (lane: number, row: number) => {
    const { at, buy, sell } = prices[lane]?.[row] ?? { at: T, buy: 60_000, sell: 60_000 };
    return { quote: quote({ id: null, product: lane === 0 ? BTC : ETH, lane: laneIdOf(`${lane}`), buy, sell, validUntil: at + 3000 }), at };
  };
  const tape = new QuoteTape(2 * ROWS);
  const begin = () => {
    const m = monitored({ maxDrawdownPct: 0.4, maxDayLoss: usd(60) });
    const of: MonitoredLane[] = [{}, {}];
    const single = (lane: number, row: number) => {
      const { quote: one, at } = quoteFor(lane, row);
      m.at(at);
      m.monitor.quoted(one, at, of[lane] ?? {});
    };
    for (const lane of [0, 1]) single(lane, -1);
    if (btc !== null) m.ordered({ side: btc, size: '0.03' });
    if (eth !== null) m.ordered({ side: eth, size: '0.02', product: ETH, strategy: strategyId('other') });
    return { m, of, single };
  };
  const [each, quietly] = [begin(), begin()];
  const next = [0, 0];
  let played = 0;
  for (;;) {
    tape.fill(
      lanes.map(({ columns }, lane) => ({ columns, from: next[lane] ?? 0 })),
      2 * ROWS,
      Number.POSITIVE_INFINITY,
    );
    if (tape.length === 0) break;
    const end = quietly.m.monitor.quiet.lookAhead(quietly.of, tape, tape.length);
    const ends = lanes.map((_, lane) => tape.rows(lane, end)[1]);
    tape.walk(end, (lane, from, count) => {
      for (let row = from; row < from + count; row++) each.single(lane, row);
      return count;
    });
    if (end > 0) {
      const last = lanes.map((_, lane) => ((ends[lane] ?? 0) > (next[lane] ?? 0) ? quoteFor(lane, (ends[lane] ?? 0) - 1) : undefined));
      quietly.m.at(Math.max(...last.map((one) => one?.at ?? 0)));
      quietly.m.monitor.quiet.pass(quietly.of, tape, { end, last });
    }
    let acts: number | undefined;
    if (end < tape.length) {
      tape.walk(end + 1, (lane, _from, count) => {
        acts = lane;
        return count;
      });
    }
    for (const lane of [0, 1]) next[lane] = ends[lane] ?? 0;
    if (acts === undefined) break;
    for (const one of [each, quietly]) one.single(acts, next[acts] ?? 0);
    next[acts] = (next[acts] ?? 0) + 1;
    played += 1;
  }
  expect(came(quietly.m, prices[0])).toEqual(came(each.m, prices[0]));
  expect(played, 'many rows are quiet').toBeLessThan(1.5 * ROWS);
});

test.each([
  ['two imports that are held', [true, true], 'sell', 8, 4],
  ['the same, where the tape ends between the two', [true, true], 'sell', 5, 4],
  ['the same, where it ends before them', [true, true], 'sell', 4, 4],
  ['an import and a recording', [true, false], 'sell', 8, 8],
  ['a recording and an import', [false, true], 'sell', 8, 8],
  ['two imports of which one is held', [true, true], null, 8, 8],
] as const)('rows that come at one time are not passed over: %s', (_, imported, eth, most, quiet) => {
  const times = [
    [1000, 2000, 2500, 3000],
    [500, 3000, 4000, 4500],
  ];
  const lanes = [BTC, ETH].map((product, lane) => {
    const rows = (times[lane] ?? []).map((after) => ({ at: T + 140_000 + after, buy: 60_000, sell: 60_000 }));
    const columns = { ...columnsOf(rows, product, lane === 0 ? 0 : 1), lane: laneIdOf(`${lane}`) };
    return { columns, from: 0, isImported: imported[lane] ?? false };
  });
  const m = monitored(limits);
  const of: MonitoredLane[] = [m.lane, {}];
  for (const [lane, product] of [BTC, ETH].entries()) {
    const one = quote({ id: null, product, ...(lane === 1 && { lane: laneIdOf('eth') }), buy: 60_000, sell: 60_000, validUntil: T + 3000 });
    m.monitor.quoted(one, T, of[lane] ?? {});
  }
  m.ordered({ side: 'buy', size: '0.03' });
  if (eth !== null) m.ordered({ side: eth, size: '0.02', product: ETH, strategy: strategyId('other') });
  for (const at of [T + 20_000, T + 70_000, T + 140_000]) {
    m.at(at);
    for (const [lane, product] of [BTC, ETH].entries()) {
      const one = quote({
        id: null,
        product,
        ...(lane === 1 && { lane: laneIdOf('eth') }),
        buy: 60_000,
        sell: 60_000,
        validUntil: at + 3000,
      });
      m.monitor.quoted(one, at, of[lane] ?? {});
    }
  }
  const tape = new QuoteTape(8);
  tape.fill(lanes, most, Number.POSITIVE_INFINITY);
  expect(tape.length).toBe(most);
  expect(m.monitor.quiet.lookAhead(of, tape, tape.length)).toBe(quiet);
});

test.each([
  [true, undefined],
  [false, 'MAX_DAY_LOSS'],
] as const)('what other lanes quote at the same time counts at once: %s', (together, reason) => {
  let beside: readonly Quote[] = [];
  let asked = 0;
  const m = monitored({ maxDayLoss: usd(100) }, null, () => {
    asked += 1;
    return beside;
  });
  const eth = (price: number) => quote({ id: null, product: ETH, lane: laneIdOf('e'), buy: price, sell: price, validUntil: T + 9000 });
  const ofEth: MonitoredLane = {};
  m.monitor.quoted(eth(60_000), T, ofEth);
  expect(asked, 'nothing is held').toBe(0);
  m.ordered({ side: 'buy', size: '0.05' });
  m.ordered({ side: 'sell', size: '0.05', product: ETH, strategy: strategyId('other') });
  if (together) beside = [eth(50_000)];
  m.quoted(50_000, T + 1000);
  expect(asked).toBe(1);
  expect(m.state.stops.reducing?.reason).toBe(reason);
  m.ordered({ side: 'sell', size: '0.05' });
  m.quoted(50_000, T + 2000);
  expect(asked, 'nothing is held any more').toBe(1);
});
