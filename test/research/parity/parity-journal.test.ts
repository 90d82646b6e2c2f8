import { expect, test } from 'vitest';
import { CHAIN_START, recordOf } from '#adapters/journal/records.ts';
import type { CheckResult } from '#domain/check-result.ts';
import type { Decision } from '#domain/decision.ts';
import { ParityJournal } from '#research/parity/parity-journal.ts';
import { orderFacts, permits } from '../../adapters/journal/order-rows.ts';

const [intent] = permits(orderFacts(1));
if (intent?.kind !== 'intent') throw new Error('an intent comes first');

const begin: Decision = {
  ...intent,
  kind: 'working',
  orderId: null,
  detail: { work: '1-1', legs: [], lasting: false, onLegFailure: 'keep', signals: {} },
};
const held: Decision = { ...intent, kind: 'refused', reason: 'JOURNAL_BUSY', orderId: null, detail: { intent: intent.detail, checks: [] } };

/** A journal that compares with these rows of a run. */
function journalOf(...recorded: readonly Decision[]): ParityJournal {
  const rows = recorded.map((decision) => recordOf(decision, 'run-1', CHAIN_START));
  return new ParityJournal({ run: { run_id: 'run-1' }, decisions: () => rows.values() } as never);
}

const refused = (figure: string, currency: string): Decision => {
  const check: CheckResult = { check: 'MAX_ORDER_VALUE', passed: false, figure, limit: '2000', currency };
  return { ...intent, kind: 'refused', reason: 'MAX_ORDER_VALUE', detail: { intent: intent.detail, checks: [check] } };
};

test.each([
  ['of another currency differs', refused('2100', 'eur'), refused('2100', 'usd'), ['detail.checks[0].currency']],
  ['of another figure differs', refused('2200', 'usd'), refused('2100', 'usd'), ['detail.checks[0].figure']],
])('a recorded check %s', (_name, recorded, replayed, fields) => {
  const journal = journalOf(recorded);
  journal.commit([replayed]);
  expect(journal.difference?.fields.map(({ field }) => field)).toEqual(fields);
});

test.each([
  ['the run', [held], [intent]],
  ['the run, which wrote the begin of its plan all the same,', [begin, held], [begin, intent]],
])('an order is refused again where another program held the journal of %s', (_name, recorded, ordered) => {
  const journal = journalOf(...recorded);
  expect(() => journal.commit(ordered)).toThrow('the journal was busy then as well');
  journal.defer(recorded);
  expect(journal).toMatchObject({ compared: recorded.length, difference: undefined });
});

test('an order that follows a refusal of the plan before it is not refused for that', () => {
  const journal = journalOf(begin, intent, held);
  journal.commit([begin, intent]);
  expect(journal).toMatchObject({ compared: 2, difference: undefined });
});

const fault: Decision = {
  ...intent,
  inboxSeq: 2,
  orderId: null,
  kind: 'halted',
  reason: 'UNCAUGHT',
  detail: { who: 'kairos', why: 'it threw' },
};
const streakEnd: Decision = {
  ...refused('2100', 'usd'),
  inboxSeq: 1,
  detail: { ...refused('2100', 'usd').detail, repeated: 12 },
} as Decision;

test.each([
  ['at the event whose error ended the run proves nothing', 2, undefined],
  ['before that event differs', 1, 'UNCAUGHT'],
])('the end of a streak that is told %s', (_name, event, reason) => {
  const journal = journalOf(fault);
  journal.handling(event);
  journal.defer([streakEnd]);
  expect(journal.difference?.recorded?.reason).toBe(reason);
});
