import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { changeOf, controlFiles } from '#adapters/journal/control-files.ts';
import { replaceFile } from '#adapters/journal/files.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { newRunId } from '#adapters/time/ids.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { chatActsOf } from '#daemon/operations/chat-acts.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';

test('from a chat, also where no daemon runs: each act is journaled with who, and the status says what stands', async () => {
  const folder = new DaemonFolder('chat');
  onTestFinished(() => folder.remove());
  mkdirSync(`${folder.path}/var`);
  const journal = SqliteJournal.open({ path: folder.journal, book: 'paper', beforeCommit: () => {} });
  const run = newRunId(systemTimers);
  journal.beginRun({ run, at: systemTimers.wallMs(), mode: 'paper', version: 'test', configHash: '', configJson: '{}' });
  const { settings } = configOf(`${strategyYaml()}journal: { path: ${folder.journal} }\n`, { cwd: folder.path });
  const by = { who: 'telegram 77/ann', why: 'from the phone' };
  let nowMs = 0;
  const monotonicMs = (): number => (nowMs += 500.3);
  const halting = chatActsOf(settings, { ...systemTimers, monotonicMs }).halt(by);
  // As the watchdog of the daemon does that holds the journal.
  const { halt, halted } = controlFiles(folder.journal);
  replaceFile(halted, JSON.stringify({ of: [changeOf(halt)] }));
  expect(await halting).toBe('halted: the gate was found shut after 1001 ms');
  journal.end(run, 'stopped');
  journal.close();
  const acts = chatActsOf(settings, systemTimers);
  expect(await acts.status()).toBe('PAPER: the daemon DOES NOT RUN\nnothing is held');
  expect(await acts.halt(by)).toBe('halted: no daemon runs; its next start is halted');
  expect(await acts.pause(by, 'one')).toBe('paused: one; positions are still closed');
  await expect(acts.pause(by, 'nobody')).rejects.toThrow(/nobody/);
  const rows = folder.rows(
    "SELECT kind, json_extract(detail, '$.who') AS who FROM decisions WHERE kind IN ('halted', 'paused') ORDER BY seq",
  );
  expect(rows).toEqual([
    { kind: 'halted', who: 'telegram 77/ann' },
    { kind: 'paused', who: 'telegram 77/ann' },
  ]);
  expect(await acts.status()).toMatch(/HALTED since .* by telegram 77\/ann \(from the phone\)/);
});
