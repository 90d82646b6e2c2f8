import { filter, map, merge } from 'rxjs';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import {
  above,
  bollinger,
  buy,
  candles,
  close,
  crossing,
  ema,
  highest,
  hold,
  lag,
  lowest,
  macd,
  mid,
  observe,
  operator,
  price,
  rsi,
  select,
  sell,
  sma,
  spread,
  strategy,
  timeLeft,
  towards,
  twap,
  wma,
  zscore,
} from '#core/strategy/index.ts';
import bookImbalance from '../../../../strategies/book-imbalance.ts';
import buyAndHold from '../../../../strategies/buy-and-hold.ts';
import coinFlip from '../../../../strategies/coin-flip.ts';
import depositDca from '../../../../strategies/deposit-dca.ts';
import emaCross from '../../../../strategies/ema-cross.ts';
import grid from '../../../../strategies/grid.ts';
import pair from '../../../../strategies/pair.ts';
import rsiReversion from '../../../../strategies/rsi-reversion.ts';
import smaCross from '../../../../strategies/sma-cross.ts';

export type Draw = (below: number) => number;

interface Case {
  readonly name: string;
  readonly definition: MarkedStrategy;
  readonly params?: (draw: Draw) => Readonly<Record<string, number | boolean>>;
  /** What its entry has besides. */
  readonly entry?: Readonly<Record<string, unknown>>;
}

const change = operator({
  start: () => ({ last: Number.NaN }),
  next: (state, x) => {
    const by = x - state.last;
    state.last = x;
    return by;
  },
});

/** What strategies may look at, each in a way of its own: nothing that a row changes may be taken for what it was. */
const own: readonly Case[] = [
  {
    name: 'numbers, and a price that is asked at each',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) => quotes$.pipe(mid(), zscore(20), observe('z')),
      decide: (z, view) =>
        z < -1 ? towards('long', view, { reason: 'low' }) : z > 1 ? towards('flat', view, { reason: 'high' }) : undefined,
    }),
  },
  {
    name: 'it takes profit by itself',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) => quotes$.pipe(above(mid(), twap('20s'))),
      decide: (side, { position, amount }) => {
        if (position.isFlat) return side === 'above' ? buy(amount, 'in') : undefined;
        return Math.abs(position.unrealised ?? 0) > 0.3 ? sell('position', 'out') : undefined;
      },
    }),
  },
  {
    name: 'by the time of day, equity and the quote itself',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) => quotes$,
      decide: (quote, { now, equity = 0, position, amount, quote: shown }) => {
        if (quote.buy.price !== shown?.buy.price) return hold('the quote is another one');
        if (position.isLong) return now % 60_000 < 3_000 || equity > 10_002 ? close(100, 'out') : undefined;
        return now % 45_000 < 2_000 && quote.validUntil - now > 500 ? buy(amount, 'in') : undefined;
      },
    }),
  },
  {
    name: 'numbers of its own sequence',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) => quotes$.pipe(price('buy'), crossing(sma(3), ema(9))),
      decide: (_, view) => (view.random() < 0.5 ? towards(view.position.isFlat ? 'long' : 'flat', view, { reason: 'drawn' }) : undefined),
    }),
  },
  {
    name: 'an intent that is worked for a while, and its outcome',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) => quotes$.pipe(mid(), crossing(ema(5), wma(20))),
      decide: (cross, { position, amount, last }) => {
        const within = last?.state === 'lapsed' ? '3s' : '1s';
        return cross === 'up' && position.isFlat
          ? buy(amount, 'up', { within, limit: 59_990 })
          : position.isLong
            ? sell('position', 'down', { within })
            : undefined;
      },
    }),
  },
  {
    name: 'breakouts of a channel',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) =>
        merge(quotes$.pipe(mid(), crossing(sma(1), lag(1, highest(9)))), quotes$.pipe(mid(), lowest(7), lag(2), observe('floor'))),
      decide: (cross, view) =>
        cross === 'up' || cross === 'down' ? towards(cross === 'up' ? 'long' : 'flat', view, { reason: cross }) : undefined,
    }),
  },
  {
    name: 'words that it refuses to act on',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) => quotes$.pipe(mid(), above(sma(4), sma(12)), observe('side')),
      decide: (side, { position, amount }) => (side === 'above' ? hold('not now') : position.isFlat ? buy(amount, 'in') : undefined),
    }),
  },
  {
    name: 'an error now and then',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) => quotes$.pipe(mid(), change, observe('change')),
      decide: (by, view) => {
        if (by > 40) throw new Error(`too much: ${by}`);
        return by > 25 ? towards('long', view, { reason: 'up' }) : by < -25 ? towards('flat', view, { reason: 'down' }) : undefined;
      },
    }),
  },
  {
    name: 'an operator that throws',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) =>
        quotes$.pipe(
          mid(),
          operator({
            start: () => ({ count: 0 }),
            next: (state, x) => {
              state.count += 1;
              if (state.count % 97 === 0) throw new Error('my operator');
              return x;
            },
          }),
          above(sma(2), sma(5)),
        ),
      decide: (side, view) => towards(side === 'above' ? 'long' : 'flat', view, { reason: side }),
    }),
  },
  {
    name: 'a warm-up of time, and rxjs behind an operator',
    definition: strategy({
      name: 'own',
      warmup: () => ({ duration: '40s' }),
      signals: ({ quotes$ }) =>
        quotes$.pipe(
          candles('5s'),
          map(({ mid: side }) => side),
          map(({ close: last }) => last),
          rsi(3),
          observe('rsi'),
        ),
      decide: (strength, view) =>
        strength < 40 ? towards('long', view, { reason: 'low' }) : strength > 60 ? towards('flat', view, { reason: 'high' }) : undefined,
    }),
  },
  {
    name: 'timers beside quotes, outcomes that it counts',
    definition: strategy({
      name: 'own',
      state: {
        initial: { fills: 0 },
        on: (state, event) => (event.type === 'outcome' && event.outcome.state === 'accepted' ? { fills: state.fills + 1 } : state),
      },
      signals: ({ quotes$, every }) => merge(quotes$.pipe(mid(), above(sma(5), sma(15))), every('17s').pipe(map(() => 'timer' as const))),
      decide: (side, view) =>
        side === 'timer'
          ? view.position.isLong && view.state.fills % 2 === 1
            ? close(100, 'time')
            : undefined
          : towards(side === 'above' ? 'long' : 'short', view, { reason: side }),
    }),
  },
  {
    name: 'signals that are no numbers, or objects',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) =>
        quotes$.pipe(
          spread(),
          select(bollinger(10, 1), ({ percentB }) => (percentB > 0.9 ? { at: percentB } : { at: Number.NaN })),
        ),
      decide: ({ at }, view) => (at > 0.95 ? towards(view.position.isFlat ? 'long' : 'flat', view, { reason: 'wide' }) : undefined),
    }),
  },
  {
    name: 'the figure of macd, and what time is left',
    definition: strategy({
      name: 'own',
      concurrent: true,
      signals: ({ quotes$ }) =>
        quotes$.pipe(
          mid(),
          crossing(
            select(macd(3, 8, 4), ({ histogram }) => histogram),
            0,
          ),
        ),
      decide: (cross, view) => (view.inFlight.length > 1 ? undefined : towards(cross === 'up' ? 'long' : 'short', view, { reason: cross })),
    }),
  },
  {
    name: 'time left alone',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) => quotes$.pipe(timeLeft(), above(sma(1), 2_500)),
      decide: (side, { position, amount }) => (side === 'above' && position.isFlat ? buy(amount, 'fresh') : undefined),
    }),
  },
  {
    name: 'filtered by rxjs',
    definition: strategy({
      name: 'own',
      signals: ({ quotes$ }) =>
        quotes$.pipe(
          filter(({ buy }) => buy.price > 60_000),
          mid(),
          above(sma(3), sma(7)),
        ),
      decide: (side, view) => towards(side === 'above' ? 'long' : 'flat', view, { reason: side }),
    }),
  },
  {
    name: 'nothing is listened to but the end of the data',
    definition: strategy({
      name: 'own',
      signals: ({ dataEnds$ }) => dataEnds$,
      decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'late') : undefined),
    }),
  },
];

const periods = (draw: Draw) => {
  const fast = 1 + draw(20);
  return { fast, slow: fast + 1 + draw(60) };
};

export const SHIPPED: readonly Case[] = [
  { name: 'sma-cross', definition: smaCross, params: periods },
  { name: 'ema-cross', definition: emaCross, params: periods },
  { name: 'buy-and-hold', definition: buyAndHold },
  { name: 'coin-flip', definition: coinFlip, params: (draw) => ({ everySeconds: 1 + draw(90) }) },
  { name: 'deposit-dca', definition: depositDca, params: (draw) => ({ everySeconds: 5 + draw(90) }) },
  { name: 'grid', definition: grid, params: (draw) => ({ stepPct: (1 + draw(20)) / 100, levels: 1 + draw(5), follow: draw(2) === 0 }) },
  { name: 'rsi-reversion', definition: rsiReversion, params: (draw) => ({ barSeconds: 1 + draw(30), bars: 2 + draw(8) }) },
  {
    name: 'pair',
    definition: pair,
    params: (draw) => ({ quotes: 5 + draw(40), enter: 1 }),
    entry: { inputs: { hedge: { product: 'ethusd', amount: { base: 0.1 } } } },
  },
  { name: 'book-imbalance', definition: bookImbalance },
];

export const CASES: readonly Case[] = [...SHIPPED, ...own, ...SHIPPED.slice(0, 2), ...SHIPPED.slice(0, 2)];
