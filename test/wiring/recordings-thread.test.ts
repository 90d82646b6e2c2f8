import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId } from '../../src/domain/names.ts';
import { openRun } from '../../src/recording/open-run.ts';
import { RunLog } from '../../src/recording/run-log.ts';
import { sealNow } from '../../src/wiring/recordings-thread.ts';
import { recordedQuote } from '../support/recorded-quotes.ts';

const AT = Date.UTC(2026, 10, 21);

function log(dir: string, run: string): RunLog {
  const made = RunLog.create({ dir, run: runId(run), book: 'paper' });
  made.append({ n: 1, at: AT, event: { kind: 'quote', quote: recordedQuote({ n: 1 }) } });
  made.flush();
  return made;
}

test('bot.seal seals earlier runs in a thread, leaves the running one alone, and answers with what came of it', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'kairos-thread-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
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
  expect(await seal()).toMatchObject({ status: 'failed', response: expect.stringMatching(/broken.*left as it is/) });
});
