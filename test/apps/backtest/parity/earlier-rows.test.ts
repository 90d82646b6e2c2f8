import { expect, test } from 'vitest';
import { CHAIN_START } from '#adapters/journal/chain.ts';
import { recordOf } from '#adapters/journal/records.ts';
import { ParityJournal } from '#apps/backtest/parity/parity-journal.ts';
import type { CheckResult, Decision } from '#domain/decision.ts';
import { orderFacts, permits } from '../../../adapters/journal/order-rows.ts';

const [intent] = permits(orderFacts(1));
if (intent?.kind !== 'intent') throw new Error('an intent comes first');

const refused = (figure: string, currency?: string): Decision => {
  const check: CheckResult = {
    check: 'MAX_ORDER_VALUE',
    passed: false,
    figure,
    limit: '2000',
    ...(currency !== undefined && { currency }),
  };
  return { ...intent, kind: 'refused', reason: 'MAX_ORDER_VALUE', detail: { intent: intent.detail, checks: [check] } };
};

test.each([
  ['that has no currency is equal', refused('2100'), refused('2100', 'usd'), undefined],
  ['of another currency differs', refused('2100', 'eur'), refused('2100', 'usd'), ['detail.checks[0].currency']],
  ['of another figure differs', refused('2200'), refused('2100', 'usd'), ['detail.checks[0].figure']],
])('a recorded check %s', (_name, recorded, replayed, fields) => {
  const rows = [recordOf(recorded, 'run-1', CHAIN_START)];
  const journal = new ParityJournal({ run: { run_id: 'run-1' }, decisions: () => rows.values() } as never);
  journal.commit([replayed]);
  expect(journal.difference?.fields.map(({ field }) => field)).toEqual(fields);
});
