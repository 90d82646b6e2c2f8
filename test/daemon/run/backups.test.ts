import fs, { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { Settings } from '#config/settings.ts';
import { copyJournal, findNewest, makeBackup, NewestBackup } from '#daemon/run/backups.ts';
import { openSchedule } from '#daemon/run/schedule.ts';
import { runId } from '#domain/names.ts';
import type { DueLine } from '#domain/schedule.ts';
import { newFolder } from '../../support/folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

let folder: string;
let journal: SqliteJournal;
beforeEach(() => {
  folder = newFolder();
  journal = SqliteJournal.open({ path: path.join(folder, 'kairos.db'), book: 'paper', beforeCommit: () => {} });
  journal.beginRun({ run: runId('r'), at: 0, mode: 'paper', version: 'test', configHash: 'h', configJson: '{}' });
  const about = { at: 1, inboxSeq: 1, strategy: null, product: null, reason: null, quoteId: null, orderId: null };
  journal.commit([{ ...about, kind: 'started', detail: { config: 'h', strategies: [] } }]);
});
afterEach(() => {
  vi.useRealTimers();
  journal.close();
});

const settings = (keep = 2, instance = 'aaaaaaaa11111111') => ({
  path: path.join(folder, 'kairos.db'),
  instance,
  backup: { dir: path.join(folder, 'backups'), everyMs: 3_600_000, keep },
  rotate: { decisions: null, monthly: false, keepDays: 0, at: null },
});
const at = (hour: number) => ({ now: Date.UTC(2026, 0, 1, hour), signal: new AbortController().signal, copy: copyJournal });
const there = (): readonly string[] => readdirSync(path.join(folder, 'backups')).sort();

test('F52 a copy is made and checked beside the daemon that writes; the newest are kept, and nothing else is touched', async () => {
  expect(await makeBackup('1-1', settings(), at(1))).toEqual({
    actionId: '1-1',
    status: 'confirmed',
    httpStatus: null,
    response: `${path.join(folder, 'backups', 'kairos-aaaaaaaa-20260101T010000Z.db')}, 1 rows checked`,
  });
  writeFileSync(path.join(folder, 'backups', 'kairos-before.db'), 'mine');
  await makeBackup('1-2', settings(), at(2));
  expect(await makeBackup('1-3', settings(), at(3))).toMatchObject({ response: expect.stringContaining('1 older removed') });
  expect(there()).toEqual(['kairos-aaaaaaaa-20260101T020000Z.db', 'kairos-aaaaaaaa-20260101T030000Z.db', 'kairos-before.db']);
  expect(verifyJournal(path.join(folder, 'backups', 'kairos-aaaaaaaa-20260101T030000Z.db'))).toMatchObject({ ok: true, decisions: 1 });
});

test('F52 two that are asked for in one second are one copy, and both have it', async () => {
  const copy = vi.fn(copyJournal);
  const asked = ['1-1', '1-2'].map((actionId) => makeBackup(actionId, settings(), { ...at(1), copy }));
  const [one, other] = await Promise.all(asked);
  // Two at once would write to one file, and find it locked.
  expect(copy).toHaveBeenCalledTimes(1);
  expect(one).toMatchObject({ status: 'confirmed', response: expect.stringContaining('1 rows checked') });
  expect(other).toEqual({ ...one, actionId: '1-2' });
  expect(there()).toEqual(['kairos-aaaaaaaa-20260101T010000Z.db']);
});

test('F52 two bots that share a folder take none of the other, nor what daemons of earlier versions left', async () => {
  const [btc, eth] = [settings(2, 'aaaaaaaa11111111'), settings(1, 'bbbbbbbb22222222')];
  mkdirSync(btc.backup.dir);
  writeFileSync(path.join(btc.backup.dir, 'kairos-20250101T000000Z.db'), 'of an earlier version');
  for (const hour of [1, 2]) await makeBackup('1-1', btc, at(hour));
  for (const hour of [2, 3]) await makeBackup('1-1', eth, at(hour));
  const kept = ['kairos-20250101T000000Z.db', 'kairos-aaaaaaaa-20260101T010000Z.db', 'kairos-aaaaaaaa-20260101T020000Z.db'];
  expect(there()).toEqual([...kept, 'kairos-bbbbbbbb-20260101T030000Z.db']);
});

test('F52 copies of a clock that was ahead go before those made after them, and a folder of such a name stops nothing', async () => {
  const dir = path.join(folder, 'backups');
  mkdirSync(path.join(dir, 'kairos-aaaaaaaa-20250101T000000Z.db'), { recursive: true });
  for (const year of [2036, 2037, 2038]) writeFileSync(path.join(dir, `kairos-aaaaaaaa-${year}0101T000000Z.db`), '');
  expect(await makeBackup('1-1', settings(), at(1))).toMatchObject({ response: expect.stringContaining('2 older removed') });
  await makeBackup('1-2', settings(), at(2));
  expect(there()).toEqual([
    'kairos-aaaaaaaa-20250101T000000Z.db',
    'kairos-aaaaaaaa-20260101T010000Z.db',
    'kairos-aaaaaaaa-20260101T020000Z.db',
  ]);
});

test('F52 copies that were cut off fill no disk: the next removes them, but none that is being made, and none of others', async () => {
  const dir = path.join(folder, 'backups');
  const begin: typeof copyJournal = async ({ to }) => {
    for (const end of ['', '-journal']) writeFileSync(`${to}.partial${end}`, 'half a copy');
    return { rows: 0, removed: 0 };
  };
  mkdirSync(dir);
  const others = ['kairos-before.db.partial', 'kairos-20260101T010000Z.db.partial', 'kairos-bbbbbbbb-20260101T010000Z.db.partial'];
  for (const name of others) writeFileSync(path.join(dir, name), '');
  const cutOff = { ...at(1), copy: (...given: Parameters<typeof begin>) => begin(...given).then(() => Promise.reject(new Error('cut'))) };
  expect(await makeBackup('1-1', settings(), cutOff)).toMatchObject({ status: 'failed' });
  const goOn = Promise.withResolvers<void>();
  const slow = { ...at(2), copy: async (...given: Parameters<typeof begin>) => begin(...given).finally(() => goOn.promise) };
  const beingMade = makeBackup('1-2', settings(), slow);
  expect(await makeBackup('1-3', settings(), at(3))).toMatchObject({ status: 'confirmed' });
  const made = 'kairos-aaaaaaaa-20260101T020000Z.db.partial';
  expect(there()).toEqual([made, `${made}-journal`, 'kairos-aaaaaaaa-20260101T030000Z.db', ...others].sort());
  goOn.resolve();
  await beingMade;
});

test('F52 a folder that cannot be had is a failure of the action, not of the daemon', async () => {
  writeFileSync(path.join(folder, 'backups'), 'a file');
  expect(await makeBackup('1-1', settings(), at(1))).toMatchObject({ status: 'failed', response: expect.stringContaining('backup') });
});

test.each([
  ['an hour old', 'aaaaaaaa-20260101T020000Z.db', 7_200_000],
  ['older than that', 'aaaaaaaa-20250101T020000Z.db', 60_000],
  ['of a clock that was ahead', 'aaaaaaaa-20270101T020000Z.db', 10_800_000],
  ['of another bot', 'bbbbbbbb-20260101T020000Z.db', 60_000],
])(
  'F52 restarts replace no older copies: after a start the next comes journal.backup.every after the newest, here %s',
  async (_, end, due) => {
    const { backup, instance, ...journal } = settings();
    mkdirSync(backup.dir);
    writeFileSync(path.join(backup.dir, `kairos-${end}`), '');
    const timers = new VirtualTimers(Date.UTC(2026, 0, 1, 3));
    const dues: DueLine[] = [];
    const every = { ...journal, backup: { ...backup, everyMs: 10_800_000 } };
    const newestBackup = new NewestBackup({ ...every, instance }, findNewest);
    const schedule = openSchedule(
      { settings: { schedule: [], journal: every }, newestBackup, recovered: { schedule: [] }, timers, notice: () => {} },
      (line) => dues.push(line) > 0,
    );
    schedule.start();
    await newestBackup.found;
    timers.advance(due - 1);
    expect(dues).toEqual([]);
    timers.advance(1);
    expect(dues).toHaveLength(1);
  },
);

test('F52 a folder that hangs, as one of a network, holds up no loop: it is looked into once, beside it, and a backup is tried after a minute', async () => {
  const { backup, instance, ...journal } = settings();
  mkdirSync(backup.dir);
  const looked = vi.spyOn(fs, 'readdirSync');
  const removed = vi.spyOn(fs, 'rmSync');
  const hung = vi.spyOn(fs.promises, 'readdir').mockReturnValue(new Promise(() => {}));
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  // A run before this one in the same process has looked as well.
  new NewestBackup({ ...journal, backup, instance }, findNewest);
  const newestBackup = new NewestBackup({ ...journal, backup, instance }, findNewest);
  const timers = new VirtualTimers(Date.UTC(2026, 0, 1, 3));
  const dues: DueLine[] = [];
  const schedule = openSchedule(
    { settings: { schedule: [], journal: { ...journal, backup } }, newestBackup, recovered: { schedule: [] }, timers, notice: () => {} },
    (line) => dues.push(line) > 0,
  );
  schedule.start();
  timers.advance(60_000);
  expect(dues).toHaveLength(1);
  await makeBackup('1-1', settings(1), at(1));
  expect(await makeBackup('1-2', settings(1), at(2))).toMatchObject({ response: expect.stringContaining('1 older removed') });
  expect(hung).toHaveBeenCalledOnce();
  expect([...looked.mock.calls, ...removed.mock.calls].filter(([one]) => String(one).startsWith(backup.dir))).toEqual([]);
});

test('a minute after the first start, then as often as journal.backup.every says; never without a folder', async () => {
  const dues: DueLine[] = [];
  const timers = new VirtualTimers();
  const open = (journalSettings: ReturnType<typeof settings> | Settings['journal']) =>
    openSchedule(
      {
        settings: { schedule: [], journal: journalSettings },
        newestBackup: { found: Promise.resolve(null) },
        recovered: { schedule: [] },
        timers,
        notice: () => {},
      },
      (line) => dues.push(line) > 0,
    );
  const none = open({
    path: 'x',
    backup: { dir: null, everyMs: 1000, keep: 1 },
    rotate: { decisions: null, monthly: false, keepDays: 0, at: null },
  });
  none.start();
  const schedule = open(settings());
  schedule.start();
  timers.advance(59_999);
  expect(dues).toEqual([]);
  timers.advance(1);
  expect(dues).toMatchObject([{ name: 'journal.backup', action: 'bot.backup' }]);
  timers.advance(7_200_000);
  expect(dues).toHaveLength(3);
  await schedule.stop();
  await none.stop();
  timers.advance(7_200_000);
  expect(dues).toHaveLength(3);
});

test('F52 a backup a month comes once a month: all of those that are kept are not replaced at once', async () => {
  vi.useFakeTimers();
  const month = 30 * 86_400_000;
  const { backup, ...rest } = settings();
  const dues: DueLine[] = [];
  const schedule = openSchedule(
    {
      settings: { schedule: [], journal: { ...rest, backup: { ...backup, everyMs: month } } },
      newestBackup: { found: Promise.resolve(null) },
      recovered: { schedule: [] },
      timers: systemTimers,
      notice: () => {},
    },
    (line) => dues.push(line) > 0,
  );
  schedule.start();
  vi.advanceTimersByTime(120_000);
  expect(dues).toHaveLength(1);
  vi.advanceTimersByTime(month - 60_001);
  expect(dues).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(dues).toHaveLength(2);
  await schedule.stop();
  expect(vi.getTimerCount()).toBe(0);
});
