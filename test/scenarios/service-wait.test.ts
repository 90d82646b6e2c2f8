import { describe, expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { statusReport } from '#adapters/journal/status-report.ts';
import { isoTime } from '#domain/names.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { eager } from '../support/strategies.ts';

const rig = rigsOfTests({ strategies: { h: eager } });

/** Quotes twice a second for so long, the last of them at the end. */
function price(r: Rig, at: number, forMs: number): void {
  for (let left = forMs; left > 0; left -= 500) {
    r.price(at, { afterMs: Math.min(left, 500) });
  }
}

const asksToWait = (r: Rig, retryAfterMs: number): void =>
  r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 429, retryAfterMs });

/** The first refusal, with the figure of its check. */
function refusal(r: Rig): string {
  const row = r.rows().find(({ kind }) => kind === 'refused');
  const checks = row?.detail.checks;
  const check = Array.isArray(checks) ? checks.at(-1) : undefined;
  return `${row?.reason} ${check?.figure}`;
}

describe('F09 the service answers 429 with Retry-After', () => {
  test.each([
    [29_999, 1],
    [30_000, 2],
  ])('openings wait for its end: %d ms later there were %d orders', (ms, orders) => {
    const r = rig();
    price(r, 60_000, 500);
    asksToWait(r, 30_000);
    expect(r.engine.snapshot(r.clock.now()).waitUntil).toBe(isoTime(r.clock.now() + 30_000));
    price(r, 60_000, ms);
    expect(r.broker.submitted.length).toBe(orders);
    expect(refusal(r)).toBe('SERVICE_WAIT 29500 ms to wait');
    expect(r.engine.snapshot(r.clock.now()).waitUntil === null).toBe(orders === 2);
  });

  test('an exit that never left was no try', () => {
    const r = rig({ exits: { stopLossPct: 1 } });
    price(r, 60_000, 500);
    r.answer(r.last);
    price(r, 59_000, 500);
    asksToWait(r, 30_000);
    price(r, 59_000, 1_000);
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    price(r, 59_000, 1_000);
    expect(r.broker.submitted.map(({ side }) => side)).toEqual(['buy', 'sell', 'sell', 'sell']);
  });

  test('an exit is tried once meanwhile, and then waits as well', () => {
    const r = rig({ exits: { stopLossPct: 1 } });
    price(r, 60_000, 500);
    r.answer(r.last);
    price(r, 59_000, 500);
    asksToWait(r, 30_000);
    const story: readonly (readonly [number, number])[] = [
      // Since the row before, and orders so far: back-off, the one try, no more of them, the end of the longer wait.
      [999, 2],
      [1, 3],
    ];
    for (const [ms, orders] of story) {
      price(r, 59_000, ms);
      expect(r.broker.submitted.length).toBe(orders);
    }
    asksToWait(r, 30_000);
    price(r, 59_000, 29_999);
    expect([refusal(r), r.broker.submitted.length]).toEqual(['SERVICE_WAIT 28000 ms to wait', 3]);
    price(r, 59_000, 1);
    expect(r.broker.submitted.map(({ side }) => side)).toEqual(['buy', 'sell', 'sell', 'sell']);
    r.answer(r.last);
    expect(r.query("SELECT sum(amount) AS held FROM ledger WHERE kind = 'fill' AND currency = 'btc'")).toEqual([{ held: 0 }]);
  });

  test('I32 it outlives a restart, and status tells of it', () => {
    const before = rig();
    price(before, 60_000, 500);
    asksToWait(before, 30_000);
    const until = isoTime(before.clock.now() + 30_000);
    before.crash();
    const reader = JournalReader.open(before.path);
    expect(statusReport(reader).waitUntil).toBe(until);
    reader.close();
    const after = rig({ folder: before.folder, startAt: START + 10_000 });
    price(after, 60_000, 20_499);
    expect([refusal(after), after.broker.submitted.length]).toEqual(['SERVICE_WAIT 20000 ms to wait', 0]);
    price(after, 60_000, 1);
    expect(after.broker.submitted.length).toBe(1);
  });
});
