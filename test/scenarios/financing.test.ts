import { describe, expect, test } from 'vitest';
import type { Decided } from '#core/strategy/contract.ts';
import { buy, mid, sell, strategy } from '#core/strategy/index.ts';
import type { FinancingRules } from '#domain/financing.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const amount = { base: '0.01' };

/** A position of 0.01 at 60,000 is worth 600: 0.06 a day at 3.65 % a year. */
const DAILY: FinancingRules = {
  time: '00:01',
  timezone: 'UTC',
  triple: 'none',
  rates: [{ of: { currency: 'usd' }, long: '-3.65', short: '1.825', per: 'year', from: null }],
};

const once = (order: () => Decided) =>
  strategy({
    name: 'once',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (_at, { position }) => (position.isFlat ? order() : undefined),
  });

const newRig = rigsOfTests({ financing: DAILY });
function rig(options: Partial<RigOptions> = {}, order: () => Decided = () => buy(amount, 'in')): Rig {
  return newRig({ strategies: { s: once(order) }, ...options });
}

/** Opens a position at 60,000 and has it accepted. */
function holding(options: Partial<RigOptions> = {}, order?: () => Decided): Rig {
  const r = rig(options, order);
  r.price();
  r.answer(r.last);
  return r;
}

/** Starts again on the same journal so long after it was killed. */
function again(r: Rig, afterMs: number, rules: FinancingRules = DAILY): Rig {
  r.journal.flush();
  r.crash();
  return rig({ folder: r.folder, startAt: r.clock.now() + afterMs, financing: rules });
}

interface Financed {
  readonly at: string;
  readonly book: string;
  readonly product: string;
  readonly currency: string;
  readonly amount: string;
}

function financed(r: Rig): readonly Financed[] {
  r.journal.flush();
  return r.query<Financed>("SELECT at, book, product, currency, amount FROM ledger WHERE kind = 'financing' ORDER BY entry_id");
}

/** The rolls that were booked, however late. */
const rollsOf = (r: Rig): readonly string[] =>
  r.rows().flatMap(({ kind, detail }) => (kind === 'booked' && /^roll of 2026-(.*):00\.000Z/.exec(String(detail.why))?.[1]) || []);

const amounts = (r: Rig): readonly string[] => financed(r).map((row) => row.amount);
const cashOf = (r: Rig): string | undefined => r.journal.recover(r.clock.now()).books.books[0]?.cash;

describe('a position that is held over a roll', () => {
  test('is booked at the roll, at the price at which it could be closed then, to its book and product', () => {
    const r = holding();
    r.price(61_000);
    r.moveBy(2 * MINUTE);
    expect(financed(r)).toEqual([{ at: '2026-01-01T00:01:00.000Z', book: 's', product: 'btcusd', currency: 'usd', amount: '-0.061' }]);
    r.moveBy(DAY);
    expect(amounts(r)).toEqual(['-0.061', '-0.061']);
    expect(
      r
        .rows()
        .filter(({ kind }) => kind === 'booked')
        .at(-1)?.detail,
    ).toMatchObject({ who: 'kairos', upTo: '2026-01-02T00:01:00.000Z' });
  });

  test('brings what a short position brings', () => {
    const r = holding({ canShort: true }, () => sell(amount, 'short'));
    r.moveBy(2 * MINUTE);
    expect(amounts(r)).toEqual(['0.03']);
  });

  test('costs nothing where nothing is held, and without rates nothing is written', () => {
    const flat = rig();
    flat.moveBy(3 * DAY);
    expect(financed(flat)).toEqual([]);
    const none = rig({ financing: { ...DAILY, rates: [] } });
    none.moveBy(DAY);
    expect(financed(none)).toEqual([]);
  });

  test('a rate of the product counts before that of its currency, of several the latest that is in force', () => {
    const rates: FinancingRules['rates'] = [
      { of: { currency: 'usd' }, long: '-99', short: '0', per: 'year', from: null },
      { of: { product: 'btcusd' }, long: '-0.1', short: '0', per: 'day', from: null },
      { of: { product: 'btcusd' }, long: '-0.2', short: '0', per: 'day', from: '2026-01-02' },
      { of: { product: 'btcusd' }, long: '-0.3', short: '0', per: 'day', from: '2026-01-04' },
    ];
    const r = holding({ financing: { ...DAILY, rates } });
    r.moveBy(2 * DAY + 2 * MINUTE);
    expect(amounts(r)).toEqual(['-0.6', '-1.2', '-1.2']);
  });

  test('counts three days on Wednesday and none on weekends, at 17:00 in New York, summer and winter', () => {
    const rules: FinancingRules = { ...DAILY, time: '17:00', timezone: 'America/New_York', triple: 'wed' };
    const r = holding({ financing: rules, startAt: Date.UTC(2026, 2, 4, 12) });
    r.moveBy(7 * DAY);
    // Clocks change on Sunday the 8th.
    expect(financed(r).map(({ at, amount }) => `${at.slice(5, 16)} ${amount}`)).toEqual([
      '03-04T22:00 -0.18',
      '03-05T22:00 -0.06',
      '03-06T22:00 -0.06',
      '03-09T21:00 -0.06',
      '03-10T21:00 -0.06',
    ]);
  });
});

describe('a restart over a roll books it exactly once', () => {
  test('that fell due while nothing ran, however often it starts', () => {
    const first = holding();
    const second = again(first, 2 * MINUTE);
    expect(amounts(second)).toEqual(['-0.06']);
    expect(cashOf(second)).toBe('-600.66');
    const third = again(second, MINUTE);
    expect(amounts(third)).toEqual(['-0.06']);
    expect(cashOf(third)).toBe('-600.66');
    third.moveBy(DAY);
    expect(amounts(third)).toEqual(['-0.06', '-0.06']);
  });

  test('that fell due between two runs, of which the first was over before any roll', () => {
    const first = holding();
    const second = again(first, 20_000);
    second.moveBy(10_000);
    const third = again(second, 2 * MINUTE);
    expect(amounts(third)).toEqual(['-0.06']);
    third.moveBy(DAY);
    expect(amounts(third)).toEqual(['-0.06', '-0.06']);
  });

  test('that was booked, where the clock was set back by half a minute meanwhile', () => {
    const first = holding();
    first.moveBy(MINUTE);
    expect(amounts(first)).toEqual(['-0.06']);
    const second = again(first, -30_000);
    second.moveBy(MINUTE);
    expect(amounts(second)).toEqual(['-0.06']);
    second.moveBy(DAY);
    expect(amounts(second)).toEqual(['-0.06', '-0.06']);
  });

  test('from now on, where an earlier clock was wrong by days', () => {
    const first = holding();
    first.moveBy(5 * DAY);
    const second = again(first, -4 * DAY);
    second.moveBy(DAY);
    expect(amounts(second)).toHaveLength(6);
  });

  test('of a time in which financing was off it books none', () => {
    const first = holding();
    first.journal.flush();
    first.crash();
    const off = rig({ folder: first.folder, startAt: first.clock.now() + 20_000, financing: { ...DAILY, rates: [] } });
    expect(amounts(again(off, 2 * MINUTE))).toEqual([]);
  });

  test.each<[string, Partial<FinancingRules>, number, readonly string[]]>([
    ['later, after that', { time: '06:00' }, 10 * HOUR, ['01-01T00:01', '01-02T06:00']],
    ['later, before that', { time: '06:00' }, HOUR, ['01-01T00:01', '01-02T06:00']],
    ['later, after the next was missed', { time: '06:00' }, 34 * HOUR, ['01-01T00:01', '01-02T06:00']],
    ['to another time zone', { timezone: 'America/New_York', time: '20:00' }, HOUR, ['01-01T00:01', '01-02T01:00']],
    ['earlier', { time: '00:00' }, HOUR, ['01-01T00:01', '01-02T00:00']],
    ['earlier, which was missed', { time: '00:00' }, 24 * HOUR - 30_000, ['01-01T00:01', '01-02T00:00']],
  ])('of its date, where the roll was moved %s', (_what, moved, afterMs, rolls) => {
    const first = holding();
    first.moveBy(MINUTE);
    const second = again(first, afterMs, { ...DAILY, ...moved });
    second.moveBy(Date.UTC(2026, 0, 2, 12) - second.clock.now());
    expect(rollsOf(second)).toEqual(rolls);
  });

  test('also on its first date, where the roll was moved before any', () => {
    const second = again(holding(), 20_000, { ...DAILY, time: '06:00' });
    second.moveBy(DAY);
    expect(rollsOf(second)).toEqual(['01-01T06:00']);
  });

  test('that was booked before the kill, and every one of several days', () => {
    const first = holding();
    first.moveBy(2 * MINUTE);
    const second = again(first, 3 * DAY);
    expect(amounts(second)).toEqual(['-0.06', '-0.06', '-0.06', '-0.06']);
  });

  test('rolls before financing was configured are nobody’s', () => {
    const first = holding({ financing: { ...DAILY, rates: [] } });
    first.journal.flush();
    first.crash();
    const bare = rig({ folder: first.folder, startAt: first.clock.now() + 5 * DAY });
    expect(amounts(bare)).toEqual([]);
    bare.moveBy(DAY);
    expect(amounts(bare)).toEqual(['-0.06']);
  });
});
