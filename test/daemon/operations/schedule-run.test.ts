import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { loadConfig } from '#config/load.ts';
import { lineResult } from '#daemon/operations/schedule-run.ts';
import type { ActionDetail } from '#domain/decision.ts';
import { runId } from '#domain/names.ts';
import { newFolder } from '../../support/folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const AT = Date.UTC(2026, 0, 5);
const PAUSE: ActionDetail = {
  ...{ actionId: '7-1', name: 'rest', action: 'remote.pause', arguments: { strategyId: 's-1' } },
  ...{ dueAt: '2026-01-05T00:00:00.000Z', askedAt: '2026-01-05T00:00:00.000Z', status: 'asked', httpStatus: null, response: '' },
};

/** What is journaled after so many milliseconds of waiting for the result of a line. */
async function resultOf(rows: Readonly<Record<number, Partial<ActionDetail>>>) {
  const dir = newFolder();
  const file = path.join(dir, 'kairos.db');
  const journal = SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {} });
  onTestFinished(() => journal.close());
  const run = runId('r');
  journal.beginRun({ run, at: AT, mode: 'paper', version: 'test', configHash: 'h', configJson: '{}' });
  const about = { at: AT, inboxSeq: 1, strategy: null, product: null, quoteId: null, orderId: null } as const;
  const keep = (detail: Partial<ActionDetail>): void =>
    journal.appendTo(run, [{ kind: 'action', ...about, reason: 'BY_SCHEDULE', detail: { ...PAUSE, ...detail } }]);
  keep({});
  const timers = new VirtualTimers(AT);
  const { settings } = loadConfig({ files: [], set: [`journal.path=${file}`], env: {}, cwd: dir, live: false });
  let result: Awaited<ReturnType<typeof lineResult>> | undefined;
  const waiting = lineResult('7-1', settings, { timers, withinMs: 20_000 }).then((done) => {
    result = done;
  });
  for (let ms = 0; result === undefined && ms <= 30_000; ms += 100) {
    const row = rows[ms];
    if (row) keep(row);
    await new Promise((resolve) => setImmediate(resolve));
    timers.advance(100);
  }
  await waiting;
  return { ...result, afterMs: timers.wallMs() - AT };
}

test.each<[string, Readonly<Record<number, Partial<ActionDetail>>>, Partial<ActionDetail>, readonly [atLeastMs: number, atMostMs: number]]>(
  [
    ['taken, and not to be read back', { 500: { status: 'unverified', httpStatus: 202 } }, { status: 'unverified' }, [500, 900]],
    ['refused', { 500: { status: 'failed', httpStatus: 422 } }, { status: 'failed' }, [500, 900]],
    [
      'answered by another page, and read back',
      { 500: { status: 'unverified' }, 2000: { status: 'confirmed' } },
      { status: 'confirmed' },
      [2000, 2400],
    ],
    ['lost, and not read back', { 500: { status: 'unverified' } }, { status: 'unverified' }, [4000, 5000]],
    ['never answered', {}, { status: 'asked', httpStatus: null }, [20_000, 20_400]],
  ],
)('the result of a line that was %s', async (_what, rows, done, [atLeastMs, atMostMs]) => {
  const { afterMs, ...result } = await resultOf(rows);
  expect(result).toMatchObject(done);
  expect(afterMs).toBeGreaterThanOrEqual(atLeastMs);
  expect(afterMs).toBeLessThanOrEqual(atMostMs);
});
