import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type ControlFiles,
  controlFiles,
  type HaltNote,
  isTaken,
  readHalt,
  writeFacts,
  writeHalt,
} from '#adapters/journal/control-files.ts';
import type { Thread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { Heartbeat, type Inside } from '#daemon/run/heartbeat.ts';
import { StallClock } from '#daemon/run/stall-clock.ts';
import { readStall, Watchdog, type WatchdogThread } from '#daemon/run/watchdog.ts';
import { newFolder } from '../../support/folder.ts';
import { waitFor } from '../../support/wait-for.ts';

function filesOfOwn() {
  const folder = newFolder();
  return controlFiles(path.join(folder, 'kairos.db'));
}

function started({ files = filesOfOwn(), thread }: { files?: ControlFiles; thread?: Thread<WatchdogThread> } = {}) {
  const latch = new HaltLatch();
  const told: HaltNote[] = [];
  const watchdog = new Watchdog({
    files,
    latch,
    heartbeat: new Heartbeat([]),
    strategies: [],
    timers: systemTimers,
    onHalt: (note) => told.push(note),
    thread,
  });
  onTestFinished(() => watchdog.close());
  return { files, latch, told, watchdog };
}

/** Holds this thread until the latch is set. */
function blockedUntilSet(latch: HaltLatch): boolean {
  const end = performance.now() + 100_000;
  while (!latch.isSet && performance.now() < end);
  return latch.isSet;
}

const BY = { who: 'ann', why: 'prices look wrong' };

test('I08 a file sets the latch while the main thread is blocked, and the loop hears of it later', async () => {
  const { files, latch, told } = started();
  for (let round = 0; round < 10; round++) {
    const own = { ...BY, why: `round ${round}` };
    writeHalt(files.halt, own, 0);
    expect(blockedUntilSet(latch)).toBe(true);
    // A file may be told twice.
    expect(told).not.toContainEqual(own);
    await waitFor(() => told.find(({ why }) => why === own.why));
    latch.clear();
  }
  expect(told.at(-1)).toEqual({ who: 'ann', why: 'round 9' });
  expect(readHalt(files.halted)).toEqual({ who: 'ann', why: 'round 9' });
  await waitFor(() => isTaken(files, files.halt) || undefined);
});

test('a watchdog that leaves has its thread watch for the next one alone', async () => {
  const first = started();
  const thread = await first.watchdog.leave();
  writeHalt(first.files.halt, BY, 0);
  const second = started({ thread });
  await second.watchdog.hasLooked;
  writeHalt(second.files.halt, BY, 0);
  expect(blockedUntilSet(second.latch)).toBe(true);
  await waitFor(() => second.told[0]);
  expect([first.latch.isSet, first.told, isTaken(first.files, first.files.halt)]).toEqual([false, [], false]);
});

test('a file that was there before is told before the watchdog says that it has looked', async () => {
  const files = filesOfOwn();
  writeHalt(files.halt, BY, 0);
  const { told, latch, watchdog } = started({ files });
  await watchdog.hasLooked;
  expect([told, latch.isSet]).toEqual([[BY], true]);
});

test('a receipt that the watchdog did not write halts as any other file, and is no proof of an earlier or later halt', async () => {
  const { files, latch, told } = started();
  const forged = { who: 'mallory', why: 'all is well' };
  writeFacts(files.halted, { ...forged, of: ['1 2'] });
  await waitFor(() => told[0]);
  expect([latch.isSet, told, isTaken(files, files.halted), isTaken(files, files.halt)]).toEqual([true, [forged], false, false]);
});

test('a file of any content halts, and its first line is the reason', async () => {
  const { files, latch, told } = started();
  writeFileSync(files.halt, 'stop\nthe rest');
  await waitFor(() => told[0]);
  expect(latch.isSet).toBe(true);
  expect(told).toEqual([{ who: 'file', why: 'stop' }]);
});

test('F69 I34 it counts how long the main thread stands still, by what it is in', () => {
  const strategy = { in: 'strategy', strategy: 'one' } as const;
  const other = { in: 'other' } as const;
  const commit = { in: 'commit' } as const;
  const looks = (inside: Inside, gaps: readonly number[], turns = () => 0): (number | undefined)[] => {
    const clock = new StallClock();
    return [0, ...gaps].map((gapMs) => clock.inspect({ turn: turns(), inside, gapMs })?.stillMs);
  };
  const found = (inside: Inside, looked: number): number =>
    looks(inside, new Array<number>(looked).fill(10)).findIndex((still) => still !== undefined);
  expect(found(strategy, 1_000)).toBe(300);
  expect(found(strategy, 299)).toBe(-1);
  expect(found(other, 5_000)).toBe(1_000);
  expect(found(commit, 5_000)).toBe(3_000);
  let turn = 0;
  expect(looks(strategy, new Array<number>(1_000).fill(10), () => turn++ / 200).every((still) => still === undefined)).toBe(true);
  // A process that was stopped as a whole for a minute stood no stiller than its watchdog.
  expect(looks(strategy, [60_000, 60_000])).toEqual([undefined, undefined, undefined]);
});

test('an end that takes longer than the process gives itself hangs, though its loop turns', () => {
  const clock = new StallClock();
  const inside = { in: 'other' } as const;
  const look = (turn: number, isEnding: boolean) => clock.inspect({ turn, inside, gapMs: 100, isEnding });
  for (let turn = 0; turn < 200; turn++) expect(look(turn, false)).toBeUndefined();
  const ends = Array.from({ length: 100 }, (_, turn) => look(200 + turn, true)?.stillMs);
  expect(ends.findIndex((still) => still !== undefined)).toBe(99);
});

test('time in which the machine gives the main thread no processor is no stall, neither of an end nor of a call', () => {
  const looksOf = (isEnding: boolean): number => {
    const clock = new StallClock();
    const look = () => clock.inspect({ turn: 1, inside: { in: 'other' }, gapMs: 100, starvedMs: 90, isEnding });
    return Array.from({ length: 2_000 }, look).findIndex((still) => still !== undefined);
  };
  expect([looksOf(true), looksOf(false)]).toEqual([999, 1_000]);
});

test('a loop that stands still while the process ends is an end that hangs', () => {
  const clock = new StallClock();
  const look = () => clock.inspect({ turn: 1, inside: { in: 'other' }, gapMs: 100, isEnding: true });
  const seen = Array.from({ length: 110 }, look).find((still) => still !== undefined);
  expect(seen).toEqual({ inside: { in: 'end' }, stillMs: 10_000 });
});

test('the heartbeat says what the main thread is in, and goes back to what it was in before', () => {
  const main = new Heartbeat(['one', 'two']);
  const seen = new Heartbeat(['one', 'two'], main.shared);
  const turns = [seen.turn];
  expect(seen.inside).toEqual({ in: 'other' });
  main.enterStrategy('two');
  expect(seen.inside).toEqual({ in: 'strategy', strategy: 'two' });
  expect(main.duringCommit(() => seen.inside)).toEqual({ in: 'commit' });
  expect(seen.inside).toEqual({ in: 'strategy', strategy: 'two' });
  main.enterStrategy(null);
  expect(seen.inside).toEqual({ in: 'other' });
  turns.push(seen.turn);
  main.tick();
  turns.push(seen.turn);
  expect(new Set(turns).size).toBe(3);
});

test.each<[string, string, { strategy: string | null; loading?: boolean; why: string }]>([
  [
    'a strategy',
    '{"in":"strategy","strategy":"one","stillMs":3010,"at":"x"}',
    { strategy: 'one', why: 'the watchdog ended the process after 3 s of standstill in its code' },
  ],
  [
    'a module that is loaded',
    '{"in":"strategy","strategy":"one","loading":true,"stillMs":10010}',
    { strategy: 'one', loading: true, why: 'the watchdog ended the process after 10 s of standstill while its module was loaded' },
  ],
  [
    'a commit',
    '{"in":"commit","stillMs":30010}',
    { strategy: null, why: 'the watchdog ended the process after 30 s of standstill outside any strategy' },
  ],
  ['an end', '{"in":"end","stillMs":10000}', { strategy: null, why: 'the watchdog ended the process, since its end hung' }],
  ['nothing readable', '{"in', { strategy: null, why: 'the watchdog ended the process after a standstill outside any strategy' }],
])('what the watchdog left is read at the next start: %s', (_what, text, expected) => {
  const { stall } = filesOfOwn();
  expect(readStall(stall)).toBeUndefined();
  writeFileSync(stall, text);
  expect(readStall(stall)).toEqual({ loading: false, ...expected });
});
