import { map, merge } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { buy, candles, strategy } from '#core/strategy/index.ts';
import { FROM, played, type Step } from './in-memory.ts';
import { bench, OFF, ofKind } from './session-bench.ts';

/** Quotes at these milliseconds since the beginning, each living so long. */
function quotesAt(times: readonly number[], livesMs = 3000): readonly Step[] {
  return times.map((at, place) => ({ afterMs: at - (times[place - 1] ?? 0), livesMs }));
}

/** What a strategy's streams bring, as `what +milliseconds`, with the price of the newest quote it sees then. */
function heard(times: readonly number[], signals: Parameters<typeof strategy>[0]['signals']): readonly string[] {
  const seen: string[] = [];
  const definition = strategy({
    name: 'listening',
    signals,
    decide: (signal, { now, quote }) => void seen.push(`${signal} +${now - FROM} sees ${quote?.buy.price ?? 'none'}`),
  });
  played({ quotes: quotesAt(times), definition, latencyMs: 0 });
  return seen;
}

/** Orders of a strategy that decides once, so long after the beginning: when each was decided, and what became of it. */
function orderOf(
  at: number,
  options: { readonly times: readonly number[]; readonly livesMs?: number; readonly latencyMs?: number; readonly within?: number },
) {
  const { times, livesMs, latencyMs = 0, within } = options;
  const definition = strategy({
    name: 'once',
    signals: ({ every }) => every(at),
    // Of the first seven quotes the fourth to the sixth are dearer than the limit.
    decide: (count, { amount }) => (count === 0 ? buy(amount, 'in', within === undefined ? {} : { within, limit: 60_003 }) : undefined),
  });
  const run = played({ quotes: quotesAt(times, livesMs), definition, latencyMs, settings: 'trading: { sendMarginMs: 0 }\n' });
  const lapsed = ofKind(run, 'lapsed').map((one) => `lapsed +${one.at - FROM}`);
  const orders = ofKind(run, 'approved').map((one) => `order +${one.at - FROM}`);
  const ends = [...ofKind(run, 'accepted'), ...ofKind(run, 'rejected')].map((one) => `${one.kind} +${one.at - FROM}`);
  return [...orders, ...ends, ...lapsed];
}

describe('docs/explanation/what-a-backtest-assumes.md: one millisecond', () => {
  test('a timer fires before a quote of its millisecond, and sees the quote before', () => {
    const signals = heard([0, 999, 1000, 1001], ({ quotes$, every }) =>
      merge(quotes$.pipe(map(() => 'quote')), every(1000).pipe(map(() => 'timer'))),
    );
    expect(signals).toEqual([
      'quote +0 sees 60001',
      'quote +999 sees 60002',
      'timer +1000 sees 60002',
      'quote +1000 sees 60003',
      'quote +1001 sees 60004',
    ]);
  });

  test('of two timers the one that was set first fires first', () => {
    const signals = heard([0, 1500], ({ every }) => merge(every(500).pipe(map(() => 'half')), every(1000).pipe(map(() => 'whole'))));
    expect(signals.map((one) => one.split(' sees')[0])).toEqual(['half +500', 'whole +1000', 'half +1000', 'half +1500']);
  });

  test('the answer to an order is heard after a quote of its millisecond', () => {
    const signals = heard([0, 100], ({ quotes$ }) => quotes$.pipe(map(() => 'quote')));
    expect(signals).toHaveLength(2);
    const definition = strategy({
      name: 'eager',
      signals: ({ quotes$ }) => quotes$,
      decide: (_quote, { amount }) => buy(amount, 'in'),
    });
    // Answered at 100 as well: the quote of that millisecond finds the order on its way, and the one after does not.
    const run = played({ quotes: quotesAt([0, 100, 101]), definition, latencyMs: 50 });
    expect(ofKind(run, 'approved').map(({ at }) => at - FROM)).toEqual([0, 101]);
  });

  test('every() counts from the beginning, and not from round times', () => {
    expect(heard([0, 250, 2600], ({ every }) => every(1000))).toEqual(['0 +1000 sees 60002', '1 +2000 sees 60002']);
  });

  test('at() fires at each time after the beginning, in UTC; not at the beginning itself', () => {
    // It begins at 9:00:00 exactly.
    const signals = heard([0, 60_500, 120_000], ({ at }) => at('* * * * *').pipe(map((due) => due - FROM)));
    expect(signals).toEqual(['60000 +60000 sees 60001', '120000 +120000 sees 60002']);
  });

  test('a candle holds the quote at its begin and not that at its end, which closes it', () => {
    const signals = heard([0, 999, 1000, 1999, 3000], ({ quotes$ }) =>
      quotes$.pipe(
        candles('1s'),
        map(({ at, quotes }) => `candle ${at - FROM} of ${quotes}`),
      ),
    );
    expect(signals).toEqual(['candle 0 of 2 +1000 sees 60003', 'candle 1000 of 2 +3000 sees 60005']);
  });

  test('within ends before a quote of its last millisecond; an order on its way is waited for', () => {
    // Decided at 100 on a quote that is too dear, with 2000 ms.
    const dear = [0, 1, 2, 3, 4];
    expect(orderOf(100, { times: [...dear, 500, 2099], within: 2000 })).toEqual(['order +2099', 'accepted +2099']);
    expect(orderOf(100, { times: [...dear, 500, 2100], within: 2000 })).toEqual(['lapsed +2100']);
    expect(orderOf(100, { times: [...dear, 500, 2099], within: 2000, latencyMs: 30 })).toEqual(['order +2099', 'accepted +2159']);
  });

  test('a quote may be executed up to and with the millisecond of its validUntil', () => {
    expect(orderOf(100, { times: [0, 1000], livesMs: 300, latencyMs: 200 })).toEqual(['order +100', 'accepted +500']);
    expect(orderOf(100, { times: [0, 1000], livesMs: 299, latencyMs: 200 })).toEqual(['order +100', 'rejected +500']);
  });

  test('--from and --to: the quote of the first is played, that of the second is not', async () => {
    const b = bench(`${OFF}strategies: [{ id: eager, use: eager, product: btcusd, amount: { base: 0.01 } }]\n`, { seconds: 10 });
    const whole = await b.open();
    const times = [...(whole.columns[0]?.at ?? [])];
    const [from, to] = [times[3], times[8]];
    const run = (await b.open({ from, to })).play();
    expect(run.quotes).toBe(5);
    expect(run.startedAt).toBe(from);
  });
});
