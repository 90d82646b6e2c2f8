import { describe, expect, test } from 'vitest';
import { recover } from '#adapters/journal/recovery.ts';
import { Snapshots } from '#adapters/journal/snapshots.ts';
import type { ActionDetail, Decision, DecisionDetails } from '#domain/decision.ts';
import { COUNTS_FROM_HERE } from '#domain/financing.ts';
import { isoTime, productCode } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { row, START } from './order-rows.ts';

const at = (n: number): number => START + n * 1000;
const by = { who: 'ann', why: 'news' };
const left = ({ database }: JournalInMemory) => recover(database, new Snapshots(database).journalState(), at(100));

const action = (actionId: string, status: ActionDetail['status'], over: Partial<ActionDetail> = {}): ActionDetail => ({
  ...{ actionId, name: 'night', action: 'remote.pauseAll', arguments: {}, dueAt: isoTime(at(0)), askedAt: isoTime(at(0)) },
  ...{ status, httpStatus: null, response: '', ...over },
});
const acted = (...given: Parameters<typeof action>): Decision => row('action', action(...given));
const started = row('started', { config: '', strategies: [] });

describe('the lines of a schedule', () => {
  const line = (name: string, upTo: number) => ({
    name,
    cron: '0 22 * * *',
    timezone: 'UTC',
    action: 'bot.halt' as const,
    upTo: isoTime(at(upTo)),
  });
  const scheduled = (...lines: readonly ReturnType<typeof line>[]): Decision =>
    row('scheduled', { lines: lines.map((one) => ({ ...one, next: null })) });
  const due = (name: string, n: number, reason: 'BY_SCHEDULE' | 'BY_PERSON' = 'BY_SCHEDULE'): Decision => ({
    ...acted(`${n}-1`, 'confirmed', { name, dueAt: isoTime(at(n)) }),
    reason,
  });
  const upTo = (...decisions: readonly Decision[]) => left(JournalInMemory.of(...decisions)).schedule.map((one) => [one.name, one.upTo]);

  test('are done up to where the last run began, or up to what fell due in it since', () => {
    const first = [scheduled(line('night', 1), line('gone', 1)), due('night', 5)];
    expect(upTo(started)).toEqual([]);
    expect(upTo(...first)).toEqual([
      ['night', at(5)],
      ['gone', at(1)],
    ]);
    expect(upTo(...first, scheduled(line('night', 8), line('noon', 8)))).toEqual([
      ['night', at(8)],
      ['noon', at(8)],
    ]);
  });

  test('what fell due before the run began, or was done by a person, moves none', () => {
    expect(upTo(scheduled(line('night', 8)), due('night', 5), due('night', 20, 'BY_PERSON'))).toEqual([['night', at(8)]]);
  });

  test('are told as they stood, so that a changed line is known', () => {
    const { upTo: _, ...facts } = line('night', 1);
    expect(left(JournalInMemory.of(scheduled(line('night', 1)))).schedule).toEqual([{ ...facts, upTo: at(1) }]);
  });
});

describe('actions at the service', () => {
  test('without a last answer are those of the last run whose newest row is the question', () => {
    const journal = JournalInMemory.of(started, acted('1-1', 'asked')).begin('second');
    journal.add(started, acted('2-1', 'asked'), acted('3-1', 'asked'), acted('3-1', 'confirmed'), acted('4-1', 'asked', by));
    journal.add(acted('5-1', 'asked', { action: 'remote.create' }));
    const { unanswered, creates } = left(journal);
    expect(unanswered).toEqual([action('2-1', 'asked'), action('4-1', 'asked', by)]);
    expect(creates).toEqual([action('5-1', 'asked', { action: 'remote.create' })]);
  });

  test('that create are open until their outcome is known, over any number of runs, oldest first', () => {
    const create = (id: string, status: ActionDetail['status']) => acted(id, status, { action: 'remote.create' });
    const journal = JournalInMemory.of(started, create('2-1', 'asked'), create('1-1', 'asked'), create('1-1', 'unknown'));
    journal.begin('second').add(started, create('3-1', 'asked'), create('3-1', 'failed'));
    expect(left(journal).creates.map(({ actionId, status }) => [actionId, status])).toEqual([
      ['2-1', 'asked'],
      ['1-1', 'unknown'],
    ]);
  });
});

describe('closings that people asked for', () => {
  const held = [{ book: 'sma', product: 'btcusd', size: '0.01' }];
  const asked = (n: number, detail: Partial<DecisionDetails['by_hand']> = {}): Decision =>
    row('by_hand', { ...by, act: 'close', wants: { strategy: 'sma', pct: 50 }, held, ...detail }, { n });
  const ended = (n: number, id: string): Decision => row('by_hand_end', { id, act: 'close', refused: null, parts: [] }, { n });

  test('go on where no row ends them, with the share that was asked for', () => {
    const journal = JournalInMemory.of(asked(1), asked(2), ended(3, '1'), asked(4, { act: 'flatten', wants: {} }));
    expect(left(journal).hands).toEqual([
      { id: '2', at: at(2), act: 'close', ...by, pct: 50, held },
      { id: '4', at: at(4), act: 'flatten', ...by, pct: 100, held },
    ]);
  });

  test('an order by hand is not made again, and what held nothing has nothing to close', () => {
    expect(left(JournalInMemory.of(asked(1, { act: 'order' }), asked(2, { held: [] }))).hands).toEqual([]);
  });
});

describe('of each strategy and product', () => {
  const about = (decision: Decision, strategy: string | null, product: string | null): Decision =>
    ({ ...decision, strategy, product: product === null ? null : productCode(product) }) as Decision;
  const exit = (n: number): Decision => ({ ...row('exit', { rule: 'stopLossPct' } as never, { n }), reason: 'STOP_LOSS' });

  test('exits that were due, in the order in which they came; a row that does not say whose is none', () => {
    const journal = JournalInMemory.of(about(exit(1), 'sma', 'ethbtc'), about(exit(2), 'coin', 'btcusd'), about(exit(3), 'sma', 'btcusd'));
    journal.add(about(exit(4), null, 'btcusd'), about(exit(5), 'coin', null), about({ ...exit(6), reason: null }, 'coin', 'ethbtc'));
    expect(left(journal).exits.map(({ strategy, product, reason, at }) => [strategy, product, reason, at])).toEqual([
      ['sma', 'ethbtc', 'STOP_LOSS', at(1)],
      ['coin', 'btcusd', 'STOP_LOSS', at(2)],
      ['sma', 'btcusd', 'STOP_LOSS', at(3)],
    ]);
  });

  test("the state that a strategy kept last, whatever its name; one without a strategy is nobody's", () => {
    const state = (strategy: string | null, n: number) => about(row('state', { state: `{"n":${n}}`, by: 'quote' }), strategy, null);
    const { states } = left(JournalInMemory.of(state('sma', 1), state('__proto__', 2), state('sma', 3), state(null, 4)));
    expect(Object.entries(states)).toEqual([
      ['__proto__', '{"n":2}'],
      ['sma', '{"n":3}'],
    ]);
  });
});

test('rolls are dealt with up to what was booked last, unless a run since then had no financing', () => {
  const rates = { account: { financing: { rates: [{}] } } };
  const rolled = (n: number): Decision => row('booked', { ...by, entries: [], upTo: isoTime(at(n)) });
  const config = (of: object) => ({ config_json: JSON.stringify(of) });
  const journal = JournalInMemory.empty()
    .begin('first', config(rates))
    .add(started, rolled(1), rolled(5), row('booked', { ...by, entries: [] }));
  expect(left(journal)).toMatchObject({ financedUpTo: at(5), financedByRoll: true });
  expect(left(journal.begin('second', config(rates)).add(started)).financedUpTo).toBe(at(5));
  expect(left(journal.begin('third', config({})).add(started)).financedUpTo).toBeNull();
  journal.begin('fourth', config(rates)).add(started, row('booked', { ...by, why: COUNTS_FROM_HERE, entries: [], upTo: isoTime(at(7)) }));
  expect(left(journal)).toMatchObject({ financedUpTo: at(7), financedByRoll: false });
});
