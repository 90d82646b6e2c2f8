import { describe, expect, test } from 'vitest';
import { productText } from '#assembly/assemble.ts';
import { type MarkedStrategy, mid, strategy } from '#core/strategy/index.ts';
import { buy } from '#core/strategy/intents.ts';
import { startFault } from '#core/strategy/start-check.ts';
import { btcProduct } from '../../support/market-data.ts';
import type { Rig } from '../../support/rig.ts';
import { rigsOfTests } from '../../support/rigs.ts';

const newRig = rigsOfTests();
function rig(definition: MarkedStrategy, folder?: string): Rig {
  return newRig({ strategies: { s: definition }, ...(folder !== undefined && { folder }) });
}

/** Buys when it has seen three signals in all its lives. */
const third = strategy({
  name: 'third',
  state: {
    initial: { seen: 0, bought: 0 },
    on: (s, event) =>
      event.type === 'signal'
        ? { ...s, seen: s.seen + 1 }
        : event.type === 'outcome' && event.outcome.state === 'accepted'
          ? { ...s, bought: s.bought + 1 }
          : s,
  },
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_, { state, amount }) => (state.seen === 3 ? buy(amount, `signal ${state.seen}`) : undefined),
});

test('a field that a restart does not find, or that `on` leaves out, has its initial value', () => {
  const first = rig(third);
  first.price();
  first.journal.flush();
  first.crash();
  const seen: unknown[] = [];
  const grown = strategy({
    name: 'third',
    state: {
      initial: { seen: 0, bought: 0, stop: 'none' },
      on: (s, event) => (event.type === 'signal' ? { seen: s.seen + 1, bought: 2 } : s) as typeof s,
    },
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (_, { state }) => {
      seen.push(state);
      return undefined;
    },
  });
  const second = rig(grown, first.folder);
  for (const price of [60_001, 60_002]) second.price(price);
  expect(seen).toEqual([
    { seen: 2, bought: 2, stop: 'none' },
    { seen: 3, bought: 2, stop: 'none' },
  ]);
});

describe('what a strategy keeps is journaled when it changes, and is there after a restart', () => {
  test('I19: it goes on where a killed process ended, whatever ended it', () => {
    const first = rig(third);
    first.price();
    first.price(60_001);
    first.journal.flush();
    first.crash();
    const second = rig(third, first.folder);
    second.price(60_002);
    expect(second.broker.submitted).toHaveLength(1);
    second.answer(second.last);
    second.crash();
    const states = second.query<{ detail: string }>("SELECT detail FROM decisions WHERE kind = 'state' ORDER BY seq");
    expect(states.map(({ detail }) => JSON.parse(JSON.parse(detail).state))).toEqual([
      { seen: 1, bought: 0 },
      { seen: 2, bought: 0 },
      { seen: 3, bought: 0 },
      { seen: 3, bought: 1 },
    ]);
  });

  test('an event that changes nothing has no row', () => {
    const r = rig(strategy({ ...base, state: { initial: { n: 1 }, on: (s) => ({ ...s }) } }));
    r.price();
    expect(r.story()).toEqual([]);
  });

  test('decide cannot change it', () => {
    const r = rig(
      strategy({
        ...base,
        state: { initial: { n: 1 }, on: (s) => s },
        decide: (_, { state }) => {
          state.n = 2;
          return undefined;
        },
      }),
    );
    r.price();
    expect(r.story()).toEqual(['threw STRATEGY_THREW']);
  });

  test.each([
    ['a throw', () => ({ n: boom() })],
    ['nothing', () => undefined],
    ['more than fits', () => ({ n: 'x'.repeat(20_000) })],
  ])("F68: %s in on() is the strategy's failure: three in a row disable it, and what it kept stays", (_, on) => {
    const r = rig(strategy({ ...base, state: { initial: { n: '' }, on: () => on() as { n: string } } }));
    for (const price of [1, 2, 3]) r.price(60_000 + price);
    expect(r.story()).toEqual(['threw STRATEGY_THREW', 'threw STRATEGY_THREW', 'threw STRATEGY_THREW', 'disabled STRATEGY_DISABLED']);
  });
});

describe('F19 while a strategy is disabled it keeps what becomes of its orders and what comes in', () => {
  const tally = strategy({
    name: 'tally',
    state: {
      initial: { bought: 0, deposits: 0 },
      on: (s, event) => {
        if (event.type === 'deposit') return { ...s, deposits: s.deposits + Number(event.deposit.amount) };
        return event.type === 'outcome' && event.outcome.state === 'accepted' ? { ...s, bought: s.bought + 1 } : s;
      },
    },
    signals: ({ quotes$ }) => quotes$,
    decide: (_, { state, amount }) => (state.bought === 0 ? buy(amount, 'once') : undefined),
  });
  const kept = (r: Rig): unknown[] =>
    r.rows().flatMap(({ kind, detail }) => (kind === 'state' ? [JSON.parse((detail as { state: string }).state)] : []));
  const deposit = (r: Rig, amount: string): void => {
    const entries = [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount }] as const;
    r.give({ kind: 'command', command: { act: 'book', who: 'anna', why: 'money', entries } });
  };

  test('an order that was on its way is not bought again, and a deposit is known', () => {
    const r = rig(tally);
    r.price();
    r.give({ kind: 'products', products: [{ ...productText(btcProduct), sizeIncrement: '0.001' }] });
    r.answer(r.last);
    deposit(r, '500');
    r.give({ kind: 'products', products: [{ ...productText(btcProduct), sizeIncrement: '0.001' }] });
    r.price(60_001);
    expect(kept(r)).toEqual([
      { bought: 1, deposits: 0 },
      { bought: 1, deposits: 500 },
    ]);
    expect(r.broker.submitted).toHaveLength(1);
  });

  test('F69: none of the code of one that held up the process runs', () => {
    const facts = { stalled: { strategy: 's', why: 'stood still' } };
    const r = newRig({ strategies: { s: tally }, recovered: (state) => ({ ...state, ...facts }) });
    deposit(r, '500');
    expect(kept(r)).toEqual([]);
    r.give({ kind: 'command', command: { act: 'enable', strategy: 's', who: 'anna', why: 'mended' } });
    deposit(r, '70');
    expect(kept(r)).toEqual([{ bought: 0, deposits: 70 }]);
  });

  test('a throw there is told, and the strategy comes back with a clean record', () => {
    const r = rig(strategy({ ...base, state: { initial: { n: '' }, on: (s, event) => (event.type === 'deposit' ? { n: boom() } : s) } }));
    r.give({ kind: 'products', products: [{ ...productText(btcProduct), sizeIncrement: '0.001' }] });
    for (let i = 0; i < 4; i++) deposit(r, '1');
    r.give({ kind: 'products', products: [{ ...productText(btcProduct), sizeIncrement: '0.001' }] });
    deposit(r, '1');
    const told = r.story().filter((row) => row !== 'booked BY_PERSON');
    const threw = 'threw STRATEGY_THREW';
    expect(told).toEqual(['disabled PRODUCT_CHANGED', threw, threw, threw, threw, 'enabled PRODUCT_CHECKED', threw]);
  });
});

class Lots {
  readonly open = 1;
}

/** What JSON would keep as something else, and what is said of it. */
const lost: readonly (readonly [value: unknown, why: string])[] = [
  [{ low: Number.POSITIVE_INFINITY }, '.low is Infinity'],
  [{ last: { mean: Number.NaN } }, '.last.mean is NaN'],
  [{ seen: new Set([1]) }, '.seen is of class Set'],
  [{ lots: new Map([[1, 2]]) }, '.lots is of class Map'],
  [{ at: new Date(0) }, '.at is of class Date'],
  [{ of: [1, { window: new Float64Array(2) }] }, '.of[1].window is of class Float64Array'],
  [{ prices: [1, undefined] }, '.prices[1] is of type undefined'],
  [{ next: () => 1 }, '.next is of type function'],
  [{ lots: new Lots() }, '.lots is of class Lots'],
  [Number.NaN, ' is NaN'],
];

describe('a strategy trades on no state that a restart would not bring back', () => {
  test.each(lost)('%o from on() is a failure of the strategy', (value, why) => {
    const r = rig(strategy({ ...base, state: { initial: null as unknown, on: () => value } }));
    r.price();
    const detail = { error: expect.stringContaining(`state${why}, which JSON cannot keep`) };
    expect(r.rows().slice(1)).toMatchObject([{ kind: 'threw', detail }]);
  });

  test.each(lost)('%o as initial is told before the start', (initial, why) => {
    const definition = strategy({ ...base, state: { initial, on: (s: unknown) => s } });
    expect(startFault(definition, {})).toBe(`state${why}, which JSON cannot keep`);
  });

  test('a field that is undefined is left out', () => {
    const r = rig(strategy({ ...base, state: { initial: null as unknown, on: () => ({ n: undefined, of: [null] }) } }));
    r.price();
    expect(r.rows().slice(1)).toMatchObject([{ kind: 'state', detail: { state: '{"of":[null]}' } }]);
  });
});

function boom(): string {
  throw new Error('boom');
}

const base = { name: 'x', signals: ({ quotes$ }: Parameters<MarkedStrategy['signals']>[0]) => quotes$, decide: () => undefined };

describe('warm-up: decisions do not count until the signals have seen enough', () => {
  const eager = (warmup: () => { readonly quotes: number } | { readonly duration: string }) =>
    strategy({ name: 'eager', warmup, signals: ({ quotes$ }) => quotes$, decide: (_, { amount }) => buy(amount, 'now') });

  test('so many quotes: the one that completes them is decided on', () => {
    const r = rig(eager(() => ({ quotes: 3 })));
    r.price();
    r.price(60_001);
    expect(r.broker.submitted).toHaveLength(0);
    r.price(60_002);
    expect(r.broker.submitted).toHaveLength(1);
    expect(r.story()).toEqual(['hold WARMING_UP', 'hold WARMING_UP', 'intent', 'approved']);
    expect(r.rows()[1]?.detail).toMatchObject({ why: 'warms up on 3 quotes' });
  });

  test('so long: one millisecond before is too early', () => {
    const r = rig(eager(() => ({ duration: '1001ms' })));
    r.price();
    r.price(60_001);
    expect(r.broker.submitted).toHaveLength(0);
    r.price(60_000, { afterMs: 1 });
    expect(r.broker.submitted).toHaveLength(1);
  });

  test.each([
    [eager(() => ({ quotes: 1.5 })), 'warmup: 1.5 is not a number of quotes'],
    [eager(() => ({ duration: 'soon' })), 'warmup: a duration is'],
    [strategy({ ...base, state: { initial: 1n, on: (s: bigint) => s } }), 'BigInt'],
  ])('what cannot start is told before it does', (definition, why) => {
    expect(startFault(definition, {})).toContain(why);
  });
});
