import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openRun } from '#adapters/recording/open-run.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { keepRecordings, sealNow } from '#daemon/run/record/keep-recordings.ts';
import { runId } from '#domain/names.ts';
import { newFolder } from '../../../support/folder.ts';
import { recordedQuote } from '../../../support/recorded-quotes.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

const AT = Date.UTC(2026, 10, 21);

function log(dir: string, run: string): RunLog {
  const made = RunLog.create({ dir, run: runId(run), book: 'paper' });
  made.append({ n: 1, at: AT, event: { kind: 'quote', quote: recordedQuote({ n: 1 }) } });
  made.flush();
  return made;
}

test('bot.seal seals earlier runs in a process of its own, leaves the running one alone, and answers with what came of it', async () => {
  const dir = newFolder();
  const seal = () => sealNow('7-1', { dir, keepDays: 90 }, { now: AT, signal: new AbortController().signal });
  log(dir, 'earlier').close();
  const running = log(dir, 'running');
  onTestFinished(() => running.close());
  const answer = { actionId: '7-1', status: 'confirmed', httpStatus: null };
  expect(await seal()).toEqual({ ...answer, response: expect.stringMatching(/^recording earlier sealed: 1 events/) });
  expect([...openRun(path.join(dir, 'earlier', 'inbox.ndjson')).items()]).toHaveLength(1);
  expect(existsSync(running.path)).toBe(true);
  expect(await seal()).toEqual({ ...answer, response: 'nothing was left to seal' });
  const broken = log(dir, 'broken');
  broken.close();
  writeFileSync(broken.path, 'oops\n');
  expect(await seal()).toMatchObject({ status: 'failed', response: expect.stringMatching(/broken.*the log is kept/) });
});

test('a part that the present run has finished is sealed within a minute, while the run goes on', async () => {
  const dir = newFolder();
  const running = log(dir, 'running');
  onTestFinished(() => running.close());
  const timers = new VirtualTimers(AT);
  const told: string[] = [];
  const stop = keepRecordings({ dir, keepDays: 90, timers, notice: (_, text) => told.push(text), part: () => running.part });
  onTestFinished(stop);
  timers.advance(5000);
  running.append({ n: 2, at: AT + 86_400_000, event: { kind: 'wake' } });
  running.flush();
  // The process of the start may still be at work at the first look.
  await vi.waitFor(
    () => {
      timers.advance(60_000);
      expect(told).toEqual([expect.stringMatching(/^recording running sealed: 1 events/)]);
    },
    { timeout: 100_000, interval: 200 },
  );
  expect(existsSync(running.path)).toBe(false);
  running.append({ n: 3, at: AT + 86_400_001, event: { kind: 'wake' } });
  running.flush();
  const numbers = [...openRun(running.path).items()].map((item) => (item.kind === 'event' ? item.event.n : 0));
  expect(numbers).toEqual([1, 2, 3]);
});
