import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { loadConfig } from '#config/load.ts';
import { journalFindings } from '#daemon/doctor/journal.ts';
import { runId } from '#domain/names.ts';
import { accepted, folder, openJournal, orderFacts, permits, sent } from '../adapters/journal/rows.ts';
import { printed } from '../support/printed.ts';

const RUN = runId('20261121T030000Z-000001');
const configOf = (dir: string, id: string, cron: string): string => `strategies:
  - { id: ${id}, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
schedule: [{ name: ${id}-line, cron: '${cron}', action: bot.seal }]
journal: { path: ${join(dir, 'kairos.db')} }
recording: { dir: ${join(dir, 'recordings')} }
`;

let dir: string;
let journal: SqliteJournal;

/** `hold.yaml` runs and has bought; `kairos.yaml` is what commands read. */
beforeEach(() => {
  dir = folder();
  writeFileSync(join(dir, 'kairos.yaml'), configOf(dir, 'here', '0 22 * * 5'));
  writeFileSync(join(dir, 'hold.yaml'), configOf(dir, 'hold', '0 21 * * 5'));
  const { json, hash } = config('hold.yaml');
  journal = openJournal(join(dir, 'kairos.db'));
  journal.beginRun({ run: RUN, at: 0, mode: 'paper', version: '0.1.0', configHash: hash, configJson: json });
  const order = orderFacts(1, { strategy: 'hold' });
  journal.commit([...permits(order), sent(order), accepted(order)]);
});

const config = (file: string) => loadConfig({ env: {}, cwd: dir, files: [join(dir, file)] });
const kairos = (...words: string[]): Promise<string> => printed([...words, '--config', join(dir, 'kairos.yaml')]);
const json = async (...words: string[]) => JSON.parse(await kairos(...words, '--json'));

/** What doctor says of positions. */
async function positions(file = 'kairos.yaml'): Promise<readonly string[]> {
  const machine = {
    env: {},
    nodeVersion: '24.1.0',
    sqliteVersion: '3.54.1',
    openFiles: 10_000,
    freeBytes: () => 2 ** 40,
    credentials: () => null,
  };
  const { findings } = await journalFindings(config(file), machine);
  return findings.flatMap(({ check, what }) => (check === 'positions' ? [what] : []));
}

test('beside a daemon of another file no position that it watches is said to be of no strategy', async () => {
  expect(await json('status')).toMatchObject({ configuration: 'the running daemon', orphans: [], strategies: [{ strategy: 'hold' }] });
  expect(await positions()).toEqual([]);
  const listed: readonly { use: string; usedBy: readonly string[] }[] = await json('strategies');
  expect(listed.find(({ use }) => use === 'buy-and-hold')?.usedBy).toEqual(['hold']);
});

test('without a daemon it is said which file the positions were compared with', async () => {
  journal.end(RUN, 'stopped');
  journal.close();
  const file = join(dir, 'kairos.yaml');
  const left = `hold holds 0.01 of btcusd and is not configured any more in ${file}: no strategy and no exit watches that position`;
  expect(await kairos('status')).toContain(`${left}; \`kairos close hold\``);
  expect(await json('status')).toMatchObject({ configuration: file, orphans: [{ book: 'hold' }] });
  expect(await positions()).toEqual([left]);
  expect(await positions('hold.yaml')).toEqual([]);
  writeFileSync(join(dir, 'out.yaml'), configOf(dir, 'hold, enabled: false', '0 21 * * 5').replace(/^schedule.*\n/m, ''));
  expect(await positions('out.yaml')).toEqual([
    `hold holds 0.01 of btcusd and is not enabled in ${join(dir, 'out.yaml')}: nothing watches that position but its exits, if it has any`,
  ]);
});

/** What a command notes, and why it fails. */
async function refused(...words: string[]): Promise<{ readonly notes: string; readonly error: string }> {
  let notes = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    notes += String(chunk);
    return true;
  });
  try {
    const error = await kairos(...words).then(
      () => '',
      (failed: Error) => failed.message,
    );
    return { notes, error };
  } finally {
    spy.mockRestore();
  }
}

test.each([[[]], [['--yes']]])('arm %j says before it asks that the daemon runs another configuration', async (options) => {
  const { notes, error } = await refused('arm', ...options);
  expect([notes, error]).toEqual([
    '',
    'nothing was armed: the daemon runs with other settings: schedule[0].cron: 0 21 * * 5 there, 0 22 * * 5 here, and 2 more: start it again to take these, or give this command the options that it was started with',
  ]);
});

test('arm tells before it asks which limits hold nothing for want of a rate', async () => {
  journal.end(RUN, 'stopped');
  journal.close();
  writeFileSync(
    join(dir, 'kairos.yaml'),
    `${configOf(dir, 'here', '0 22 * * 5')}account: { currency: chf }\nrisk: { maxDayLoss: { chf: 15 } }\n`,
  );
  const { notes, error } = await refused('arm');
  expect(notes).toContain('risk.maxDayLoss.chf: 15');
  expect(notes).toContain('no lane leads from usd (strategy here) to account.currency, chf');
  expect(notes).toContain('losses in usd (strategy here) never stop trading: risk.maxDayLoss has no figure in it');
  expect(error).toBe('arm asks first: add --yes where nobody can answer');
});

test('the schedule that is listed is that of the daemon, with a note where the file has another', async () => {
  let notes = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    notes += String(chunk);
    return true;
  });
  try {
    expect(await json('schedule', 'list')).toMatchObject([{ name: 'hold-line', cron: '0 21 * * 5' }]);
    await json('schedule', 'preview');
    await expect(kairos('schedule', 'run', 'here-line')).rejects.toThrow(
      'the schedule of the running daemon has no line "here-line"; it has hold-line',
    );
  } finally {
    spy.mockRestore();
  }
  expect(notes.trimEnd().split('\n')).toEqual([
    `the schedule of the running daemon; ${join(dir, 'kairos.yaml')} has another one, for the next start`,
    'the running daemon has another schedule: `kairos schedule list` shows it',
  ]);
});
