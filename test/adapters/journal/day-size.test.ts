import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { decisionOf } from '#adapters/journal/records.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import type { CheckResult } from '#domain/check-result.ts';
import { accepted, begun, folder, orderFacts, permits, row, sent } from './rows.ts';

/** A busy day on 100 lanes: each trades 50 times, and is refused in 20 streaks of any length besides. */
const DAY = { orders: 5_000, refusals: 2_000 };
/** Share of the day that is written. */
const SHARE = 0.1;

const CHECKS: readonly CheckResult[] = Array.from({ length: 24 }, (_, n) => ({
  check: (['MAX_POSITION_VALUE', 'MAX_SPREAD', 'COLLAR'] as const)[n % 3] ?? 'COLLAR',
  passed: true,
  figure: '617.8611',
  limit: '10000',
}));

/** What a service says of an execution. */
const body = (quoteId: string): string =>
  JSON.stringify({
    orderId: randomUUID(),
    quoteId,
    side: 'BUY',
    status: 'FILLED',
    price: 61786.11,
    size: 0.01,
    value: 617.8611,
    fee: 0.6178611,
    feeCcy: 'usd',
    executedAt: '2026-11-21T05:28:30.066Z',
  });

test('a day on 100 lanes takes at most 50 MB, with every figure of every check', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  for (let n = 1; n <= DAY.orders * SHARE; n++) {
    const order = orderFacts(n, { quoteId: randomUUID(), strategy: `cross-product-${n % 100}` });
    const [intent, approved] = permits(order);
    const filled = accepted(order);
    if (intent?.kind !== 'intent' || approved?.kind !== 'approved' || filled.kind !== 'accepted') throw new Error('rows of an order');
    const passed = { ...approved, detail: { ...approved.detail, checks: CHECKS } };
    journal.commit([intent, passed, sent(order)]);
    journal.commit([{ ...filled, detail: { ...filled.detail, body: body(order.quoteId) } }]);
    if (n % (DAY.orders / DAY.refusals) >= 1) continue;
    const refused = row(
      'refused',
      { intent: intent.detail, checks: CHECKS.map((check, last) => ({ ...check, passed: last !== 23 })) },
      { strategy: order.strategy, reason: 'MAX_SPREAD', n },
    );
    journal.defer([refused, { ...refused, detail: { ...refused.detail, repeated: 40 } }]);
  }
  journal.close();
  const database = new Database(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  expect(statSync(path).size / SHARE / 1e6).toBeLessThan(50);

  const reader = JournalReader.open(path);
  const last = reader
    .tail(50)
    .map(decisionOf)
    .findLast(({ kind }) => kind === 'refused');
  reader.close();
  expect(last?.kind === 'refused' && last.detail.checks).toEqual(CHECKS.map((check, n) => ({ ...check, passed: n !== 23 })));
  expect(verifyJournal(path)).toMatchObject({ ok: true });
});
