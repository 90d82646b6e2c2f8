import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import type { OutsideAct } from '#core/engine/outside-act.ts';
import { copyJournal } from '#daemon/run/backups.ts';
import { externalActions } from '#daemon/run/external-actions.ts';
import { KairosError } from '#domain/errors.ts';
import type { ActionAnswer, InboxEvent } from '#domain/event.ts';
import { runId } from '#domain/names.ts';
import type { RemoteAnswer, RemoteAsk, RemoteStrategy } from '#domain/remote.ts';
import type { Orchestrator } from '#ports/orchestrator.ts';
import { newFolder } from '../../support/folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

/** A service that takes everything and reads nothing back, but for what a test says. */
const service = (says: Partial<Orchestrator> = {}): Orchestrator => ({ ask: async () => TAKEN, find: async () => null, ...says });

/** What is asked of the service, and how it answers. */
function begin(strategies: Orchestrator = service(), dir: string = newFolder()) {
  const timers = new VirtualTimers(Date.UTC(2026, 0, 5, 22));
  const answers: InboxEvent[] = [];
  const last = Promise.withResolvers<InboxEvent>();
  const ended = new AbortController();
  const act = externalActions({
    copyJournal,
    newestBackup: { at: null },
    ended: ended.signal,
    line: { strategies },
    instance: 'here',
    settings: {
      journal: {
        path: path.join(dir, 'kairos.db'),
        backup: { dir: null, everyMs: null, keep: 1 },
        rotate: { decisions: null, monthly: false, keepDays: 0, at: null },
      },
      recording: { enabled: true, dir: path.join(dir, 'recordings'), keepDays: 90 },
    },
    timers,
    post: (event) => {
      answers.push(event);
      if (event.kind === 'action' && !event.answer.more) last.resolve(event);
    },
  });
  return { timers, answers, ended, last: last.promise, act: (given: Partial<OutsideAct>) => act({ ...PAUSE_ALL, ...given }) };
}

/** Lets what was asked be answered, and time go on, so many times. */
async function goOn(timers: VirtualTimers, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (timers.pending > 0) timers.advanceToNext();
  }
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
  const asked: Parameters<Orchestrator['ask']>[] = [];
  const ask: Orchestrator['ask'] = async (...one) => {
    asked.push(one);
    return TAKEN;
  };
  const { act, answers, last, timers } = begin(service({ ask }));
  act(given);
  await goOn(timers, 1);
  expect(await last).toMatchObject({ kind: 'action', answer: { actionId: '7-1', status: 'unverified', httpStatus: 202 } });
  expect(answers[0]).toEqual({ kind: 'action', answer: { actionId: '7-1', ...TAKEN, more: true } });
  expect(asked).toEqual([[request, 60_000]]);
  expect(timers.pending).toBe(0);
});

const PAUSE: Partial<OutsideAct> = { action: 'remote.pause', arguments: { strategyId: 's-1' } };
const shown = (status: string): RemoteStrategy[] => [{ strategyId: 's-1', version: 1, eventTime: null, state: { status }, uiParams: {} }];

const GONE = new KairosError('SERVICE_UNREACHABLE', 'nobody there');

/** What is asked, what the service reads back at each look, the answer in the end, and how often was looked. */
test.each<[string, Partial<OutsideAct>, (readonly RemoteStrategy[] | null | KairosError)[], Partial<ActionAnswer>, number]>([
  ['a pause that shows at the second look', PAUSE, [shown('ACTIVE'), shown('PAUSED')], { status: 'confirmed', response: '' }, 2],
  [
    'a pause that never shows, until the deadline',
    PAUSE,
    [shown('ACTIVE')],
    { status: 'unverified', response: 'it could not be read back within its deadline of 60 s', notShown: true },
    15,
  ],
  ['a service without read-back', PAUSE, [null], { status: 'unverified', response: 'the service reads nothing back' }, 1],
  [
    'words that nobody here knows',
    PAUSE,
    [shown('dormant')],
    { status: 'unverified', response: 'what the service reads back does not show it' },
    1,
  ],
  [
    'a service that is gone until the deadline',
    PAUSE,
    [GONE],
    { status: 'unverified', response: 'it could not be read back within its deadline of 60 s', notShown: true },
    15,
  ],
  [
    'a look that fails, and a pause that never shows',
    PAUSE,
    [GONE, shown('ACTIVE')],
    { status: 'unverified', response: 'it could not be read back within its deadline of 60 s', notShown: true },
    15,
  ],
  ['a look that fails before the pause shows', PAUSE, [GONE, shown('PAUSED')], { status: 'confirmed', response: '' }, 2],
  ['a pause of all', {}, [], { status: 'unverified', response: 'what a pauseAll does cannot be read back' }, 0],
  [
    'a flush',
    { action: 'remote.flush', arguments: { strategyId: 's-1', longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 } },
    [],
    { status: 'unverified', response: 'what a flush does cannot be read back' },
    0,
  ],
])('F17 202 is asked, not done: %s', async (_what, given, looks, answer, times) => {
  let looked = 0;
  const find = async () => {
    const found = looks[Math.min(looked, looks.length - 1)];
    looked += 1;
    if (found instanceof KairosError) throw found;
    return found ?? null;
  };
  const { act, last, timers, answers } = begin(service({ find }));
  act(given);
  await goOn(timers, 40);
  expect(await last).toEqual({ kind: 'action', answer: { actionId: '7-1', httpStatus: 202, ...answer } });
  expect({ looked, pending: timers.pending, told: answers.length }).toEqual({ looked: times, pending: 0, told: 2 });
});

test('F17 a service that does not answer within the deadline is unverified, never failed', async () => {
  const { act, last, timers } = begin(service({ ask: () => new Promise(() => {}) }));
  act({});
  timers.advance(60_000);
  const answer = { actionId: '7-1', status: 'unverified', httpStatus: null, response: 'no answer within its deadline of 60 s' };
  expect(await last).toEqual({ kind: 'action', answer });
});

test('F17 what is under way as the daemon ends goes on in no way: no timer is left, and nothing is told to a journal that is closed', async () => {
  const { act, answers, ended, timers } = begin(service({ find: async () => shown('ACTIVE') }));
  act(PAUSE);
  await goOn(timers, 2);
  ended.abort();
  await goOn(timers, 3);
  expect(timers.pending).toBe(0);
  expect(answers).toEqual([{ kind: 'action', answer: { actionId: '7-1', ...TAKEN, more: true } }]);
});

test('work of our own is ended by its deadline', async () => {
  const dir = newFolder();
  const { act, last, timers } = begin(service(), dir);
  act({ action: 'bot.report', arguments: { dir: path.join(dir, 'reports') }, deadlineMs: 1000 });
  timers.advance(1000);
  expect(await last).toMatchObject({ answer: { status: 'failed', response: 'not done within its deadline of 1 s, and ended' } });
});

test('bot.report writes the report of the present run beside the daemon that writes its journal', async () => {
  const dir = newFolder();
  const journal = SqliteJournal.open({ path: path.join(dir, 'kairos.db'), book: 'paper', beforeCommit: () => {} });
  onTestFinished(() => journal.close());
  journal.beginRun({ run: runId('r'), at: Date.UTC(2026, 0, 5), mode: 'paper', version: 'test', configHash: 'h', configJson: CONFIG });
  const about = { at: Date.UTC(2026, 0, 5), inboxSeq: 1, strategy: null, product: null, reason: null, quoteId: null, orderId: null };
  journal.commit([{ ...about, kind: 'started', detail: { config: 'h', strategies: [] } }]);
  const { act, last } = begin(service(), dir);
  act({ action: 'bot.report', arguments: { dir: path.join(dir, 'reports') } });
  const file = path.join(dir, 'reports', 'report-20260105T220000Z.html');
  expect(await last).toEqual({ kind: 'action', answer: { actionId: '7-1', status: 'confirmed', httpStatus: null, response: file } });
  expect(existsSync(file)).toBe(true);
});

const CONFIG = '{"account":{"currency":"usd"},"journal":{"path":"kairos.db"},"recording":{"dir":"recordings"},"strategies":[]}';
