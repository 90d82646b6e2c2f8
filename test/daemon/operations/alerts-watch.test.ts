import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { PATIENCE_MS } from '#adapters/alerts/watch.ts';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { journalFiles } from '#adapters/journal/files.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startWatch } from '#daemon/operations/alerts-watch.ts';
import { publish } from '#daemon/operations/ops-files.ts';
import { LOGIN } from '#paper-venue/defaults.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { settled } from '../../adapters/alerts/support.ts';
import { begin, RUN } from '../../adapters/journal/rows.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { VENUE_SETTINGS } from '../../support/venue-settings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Above what Linux gives to any process. */
const GONE = 4_194_305;

/** What the watcher says of a daemon that has stopped in good order, by the files that it finds. */
async function watched(yaml = '') {
  const folder = new DaemonFolder('watch');
  onTestFinished(() => folder.remove());
  mkdirSync(`${folder.path}/var`);
  const journal = SqliteJournal.open({ path: folder.journal, book: 'paper', beforeCommit: () => {} });
  begin(journal);
  journal.end(RUN, 'stopped');
  journal.close();
  const timers = new VirtualTimers();
  const said: string[] = [];
  const config = configOf(`${strategyYaml()}journal: { path: ${folder.journal} }\n${yaml}`, {
    cwd: folder.path,
    isVenue: true,
    env: { KAIROS_USERNAME: LOGIN.username, KAIROS_PASSWORD: LOGIN.password },
  });
  const watcher = startWatch(config, timers, (_level, text) => said.push(text));
  onTestFinished(() => watcher.stop());
  return { folder, timers, said };
}

const killed = expect.stringContaining('the daemon did not start: it was killed before it was ready');

test('a daemon that was killed while it started is told of at once, and not after a minute as one that was stopped', async () => {
  const { folder, timers, said } = await watched();
  writeFileSync(journalFiles(folder.journal).pid, `${GONE}\n`);
  timers.advance(1_000);
  await waitFor(() => said[0]);
  expect(said).toEqual([killed]);
});

test('so is one that ran, was killed, and is killed again at each start; it is told of once', async () => {
  const { folder, timers, said } = await watched();
  publish(controlFiles(folder.journal).ops, { pid: GONE, url: 'http://127.0.0.1:1' }, 'a-token-of-sixteen-letters');
  for (const pid of [GONE, GONE + 1, GONE + 2]) {
    writeFileSync(journalFiles(folder.journal).pid, `${pid}\n`);
    timers.advance(1_000);
    await settled();
  }
  expect(said).toEqual([killed]);
});

test('F75 the service is asked to pause although its session cannot be kept', async () => {
  const venue = await startVenue(VENUE_SETTINGS, systemTimers);
  onTestFinished(() => venue.close());
  const service = `{ baseUrl: '${venue.url}', refreshTokenFile: ${import.meta.filename}/session }`;
  const { folder, timers, said } = await watched(`service: ${service}\nalerts: { watch: { after: 1s, pauseAllAfter: 1s } }\n`);
  writeFileSync(journalFiles(folder.journal).pid, `${GONE}\n`);
  timers.advance(1_000);
  await waitFor(() => said[0]);
  timers.advance(PATIENCE_MS);
  await waitFor(() => said.find((line) => line.includes('answered 202')));
  expect(said).toContainEqual(expect.stringContaining('the session cannot be kept'));
});

test('the service is asked for nothing where the settings say dry, whatever the last run was', async () => {
  const venue = await startVenue(VENUE_SETTINGS, systemTimers);
  onTestFinished(() => venue.close());
  const { folder, timers, said } = await watched(
    `mode: dry\nservice: { baseUrl: '${venue.url}' }\nalerts: { watch: { after: 1s, pauseAllAfter: 1s } }\n`,
  );
  writeFileSync(journalFiles(folder.journal).pid, `${GONE}\n`);
  timers.advance(1_000);
  await waitFor(() => said[0]);
  timers.advance(PATIENCE_MS);
  expect(await waitFor(() => said.find((line) => /asked for nothing|asked to pause/.test(line)))).toContain('asked for nothing');
});
