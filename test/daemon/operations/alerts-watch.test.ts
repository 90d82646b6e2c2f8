import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { journalFiles } from '#adapters/journal/files.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { startWatch } from '#daemon/operations/alerts-watch.ts';
import { begin, RUN } from '../../adapters/journal/rows.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Above what Linux gives to any process. */
const GONE = 4_194_305;

test('a daemon that was killed while it started is told of at once, and not after a minute as one that was stopped', async () => {
  const folder = new DaemonFolder('watch');
  onTestFinished(() => folder.remove());
  mkdirSync(`${folder.path}/var`);
  const journal = SqliteJournal.open({ path: folder.journal, book: 'paper', beforeCommit: () => {} });
  begin(journal);
  journal.end(RUN, 'stopped');
  journal.close();
  const timers = new VirtualTimers();
  const said: string[] = [];
  const config = configOf(`${strategyYaml()}journal: { path: ${folder.journal} }\n`, { cwd: folder.path });
  const watcher = startWatch(config, timers, (_level, text) => said.push(text));
  onTestFinished(() => watcher.stop());
  writeFileSync(journalFiles(folder.journal).pid, `${GONE}\n`);
  timers.advance(1_000);
  await waitFor(() => said[0]);
  expect(said).toEqual([expect.stringContaining(`the daemon did not start: process ${GONE} was killed before it was ready`)]);
});
