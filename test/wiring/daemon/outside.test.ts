import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InboxEvent } from '../../../src/domain/event.ts';
import { runId } from '../../../src/domain/names.ts';
import type { RemoteAnswer, RemoteAsk } from '../../../src/domain/remote.ts';
import { SqliteJournal } from '../../../src/journal/sqlite-journal.ts';
import { outside } from '../../../src/wiring/daemon/outside.ts';
import type { OutsideAct } from '../../../src/wiring/engine/scheduled-actions.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const folder = (): string => {
  const made = mkdtempSync(path.join(tmpdir(), 'kairos-outside-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

/** What is asked of the service, and how it answers. */
function begin(askRemote: (asked: RemoteAsk) => Promise<RemoteAnswer>, dir: string = folder()) {
  const timers = new VirtualTimers(Date.UTC(2026, 0, 5, 22));
  const answered = Promise.withResolvers<InboxEvent>();
  const act = outside({
    line: { askRemote },
    settings: {
      journal: { path: path.join(dir, 'kairos.db'), backup: { dir: null, everyMs: null, keep: 1 } },
      recording: { enabled: true, dir: path.join(dir, 'recordings'), keepDays: 90 },
    },
    timers,
    post: answered.resolve,
  });
  return { timers, answered: answered.promise, act: (given: Partial<OutsideAct>) => act({ ...PAUSE_ALL, ...given }) };
}

const PAUSE_ALL: OutsideAct = { actionId: '7-1', action: 'remote.pauseAll', arguments: {}, deadlineMs: 60_000 };
const TAKEN: RemoteAnswer = { status: 'asked', httpStatus: 202, response: '' };

test.each<[Partial<OutsideAct>, RemoteAsk]>([
  [{}, { action: 'pauseAll' }],
  [{ action: 'remote.deleteAll' }, { action: 'deleteAll' }],
  [
    { action: 'remote.stop', arguments: { strategyId: 's-1' } },
    { action: 'stop', strategyId: 's-1' },
  ],
  [
    { action: 'remote.flush', arguments: { strategyId: 's-1', longPositionTargetPercentage: 0, shortPositionTargetPercentage: 50 } },
    { action: 'flush', strategyId: 's-1', longPositionTargetPercentage: 0, shortPositionTargetPercentage: 50 },
  ],
])('%j is asked of the service as it stands in the line', async (given, request) => {
  const asked: RemoteAsk[] = [];
  const { act, answered, timers } = begin(async (one) => {
    asked.push(one);
    return TAKEN;
  });
  act(given);
  expect(await answered).toEqual({ kind: 'action', answer: { actionId: '7-1', ...TAKEN } });
  expect(asked).toEqual([request]);
  expect(timers.pending).toBe(0);
});

test('F17 a service that does not answer within the deadline is unverified, never failed', async () => {
  const { act, answered, timers } = begin(() => new Promise(() => {}));
  act({});
  timers.advance(60_000);
  const answer = { actionId: '7-1', status: 'unverified', httpStatus: null, response: 'no answer within its deadline of 60 s' };
  expect(await answered).toEqual({ kind: 'action', answer });
});

test('work of our own is ended by its deadline', async () => {
  const dir = folder();
  const { act, answered, timers } = begin(async () => TAKEN, dir);
  act({ action: 'bot.report', arguments: { dir: path.join(dir, 'reports') }, deadlineMs: 1000 });
  timers.advance(1000);
  expect(await answered).toMatchObject({ answer: { status: 'failed', response: 'not done within its deadline of 1 s, and ended' } });
});

test('bot.report writes the report of the present run beside the daemon that writes its journal', async () => {
  const dir = folder();
  const journal = SqliteJournal.open({ path: path.join(dir, 'kairos.db'), book: 'paper', beforeCommit: () => {} });
  onTestFinished(() => journal.close());
  journal.beginRun({ run: runId('r'), at: Date.UTC(2026, 0, 5), mode: 'paper', version: 'test', configHash: 'h', configJson: CONFIG });
  const about = { at: Date.UTC(2026, 0, 5), inboxSeq: 1, strategy: null, product: null, reason: null, quoteId: null, orderId: null };
  journal.commit([{ ...about, kind: 'started', detail: { config: 'h', strategies: [] } }]);
  const { act, answered } = begin(async () => TAKEN, dir);
  act({ action: 'bot.report', arguments: { dir: path.join(dir, 'reports') } });
  const file = path.join(dir, 'reports', 'report-20260105T220000Z.html');
  expect(await answered).toEqual({ kind: 'action', answer: { actionId: '7-1', status: 'confirmed', httpStatus: null, response: file } });
  expect(existsSync(file)).toBe(true);
});

const CONFIG = '{"account":{"currency":"usd"},"strategies":[]}';
