import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { journalFiles } from '#adapters/journal/files.ts';
import { Lease } from '#adapters/journal/lease.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { newRunId } from '#adapters/time/ids.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos } from '../support/process.ts';

const CONFIG = `strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
`;

let folder: DaemonFolder;
beforeEach(() => {
  folder = new DaemonFolder('refused');
  folder.write('kairos.yaml', CONFIG);
});
afterEach(async () => {
  await endAll();
  folder.remove();
});

/** What a start that must fail printed, as one line with its exit code. */
async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runKairos(['run', ...args], { cwd: folder.path });
  expect(stdout).toBe('');
  expect(stderr.endsWith('\n')).toBe(true);
  return `${code} ${stderr.slice(0, -1)}`;
}

/** Nothing is held and no run was begun, nor its recording. */
function expectNothingBegun(): void {
  expect(folder.holder()).toBeNull();
  expect(folder.runs()).toEqual([]);
  expect(folder.files().filter((file) => file.startsWith('var/recordings/'))).toEqual([]);
}

describe('a journal that this run may not write', () => {
  test('of another book: both are named, and nothing is added to it', async () => {
    mkdirSync(`${folder.path}/var`);
    const journal = SqliteJournal.open({ path: folder.journal, book: 'live https://broker.example 77', beforeCommit: () => {} });
    const run = newRunId(systemTimers);
    const at = systemTimers.wallMs();
    journal.beginRun({ run, at, mode: 'live', version: 'test', configHash: '', configJson: '{}' });
    journal.end(run, 'stopped');
    journal.close();
    expect(await refusal()).toBe(
      `2 kairos: journal ${folder.journal} belongs to the book "live https://broker.example 77", this run to "paper": set journal.path to another file`,
    );
    expect(folder.runs()).toMatchObject([{ run_id: run, end_state: 'stopped' }]);
    expect(folder.holder()).toBeNull();
  });

  test('F54: of a newer Kairos: refused, and its version stands', async () => {
    mkdirSync(`${folder.path}/var`);
    SqliteJournal.open({ path: folder.journal, book: 'paper', beforeCommit: () => {} }).close();
    const database = new Database(folder.journal);
    database.pragma('user_version = 99');
    database.close();
    expect(await refusal()).toMatch(
      /^2 kairos: journal \S+kairos\.db has schema 99, and this Kairos reads up to \d+: use the newer Kairos, or another journal\.path$/,
    );
    const after = new Database(folder.journal, { readonly: true });
    expect(after.pragma('user_version', { simple: true })).toBe(99);
    after.close();
    expectNothingBegun();
  });

  test('B19: that is a directory, or no database', async () => {
    mkdirSync(`${folder.path}/folder.db`);
    expect(await refusal('--set', 'journal.path=folder.db')).toBe(
      `2 kairos: journal ${folder.path}/folder.db is a directory: set journal.path to a file`,
    );
    folder.write('notes.db', 'no database at all, but long enough to be taken for the head of one');
    expect(await refusal('--set', 'journal.path=notes.db')).toBe(
      `2 kairos: journal ${folder.path}/notes.db is not an SQLite file: check it, or set journal.path to another file`,
    );
    expect(folder.read('notes.db').toString()).toMatch(/^no database at all/);
  });
});

test('F49: a journal that a command holds, which ends by itself, ends the start so that it is tried again', async () => {
  mkdirSync(`${folder.path}/var`);
  const lease = Lease.acquire(journalFiles(folder.journal), 4242);
  expect(await refusal()).toBe(`1 kairos: journal ${folder.journal} is held by process 4242, a command or a daemon that starts: try again`);
  lease.release();
  expectNothingBegun();
});

describe('a port that another program has', () => {
  let other: Server;
  let port: number;
  beforeEach(async () => {
    other = createServer();
    port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  });
  afterEach(() => new Promise<void>((resolve) => void other.close(() => resolve())));

  test('F63 B37: is named with the setting that mends it; the journal is free and has no run', async () => {
    expect(await refusal('--set', `venue.port=${port}`)).toBe(
      `1 kairos: the paper venue cannot listen on 127.0.0.1:${port}: another program listens there; set venue.port to another one`,
    );
    expectNothingBegun();
  });

  test('F63: the page has none: no run begins, so that a start which is tried again and again is no crash that halts', async () => {
    expect(await refusal('--set', `ops.port=${port}`)).toBe(
      `1 kairos: ops.port: cannot listen on 127.0.0.1:${port}: another program listens there; set ops.port to another one`,
    );
    expectNothingBegun();
  });
});

describe('B40: a strategy that cannot run ends the start before anything is written', () => {
  test.for([
    [
      'that is nowhere',
      'sma-crss',
      undefined,
      /^2 kairos: \S+: strategy [\w-]+: use: strategy 'sma-crss' is neither in .* nor among those that come with Kairos; did you mean 'sma-cross'\?$/,
    ],
    [
      'whose file is missing',
      './own.ts',
      undefined,
      /^2 kairos: \S+: strategy [\w-]+: use: strategy '\.\/own\.ts': .*own\.ts does not exist$/,
    ],
    [
      'that exports nothing',
      './own.ts',
      'export const other = 1;',
      /^2 kairos: \S+: strategy [\w-]+: use: .*own\.ts: exports nothing to run; write `export default strategy/,
    ],
    [
      'that exports a promise',
      './own.ts',
      'export default Promise.resolve(1);',
      /^2 kairos: \S+: strategy [\w-]+: use: .*own\.ts:1:\d+: promises are not for strategies/,
    ],
    [
      'with a getter that throws',
      './own.ts',
      "import { strategy } from 'kairos/strategy';\nexport default strategy({ get name(): string { throw new Error('no name'); } });",
      /^2 kairos: \S+: strategy [\w-]+: use: .*own\.ts.*no name/,
    ],
    [
      'that reads the clock',
      './own.ts',
      'const now = 1;\nexport default Date.now();',
      /^2 kairos: \S+: strategy [\w-]+: use: .*own\.ts:2:\d+: Date\.now reads the machine's clock/,
    ],
    ['that is no TypeScript', './own.ts', 'export default {{ ;', /^2 kairos: \S+: strategy [\w-]+: use: .*own\.ts:1:17: /],
  ] as const)('%s', async ([, use, text, line], { expect }) => {
    if (text !== undefined) folder.write('own.ts', text);
    folder.write('kairos.yaml', CONFIG.replace('buy-and-hold', use));
    const said = await refusal();
    expect(said).toMatch(line);
    expect(said).not.toContain('\n');
    // The watcher tells what is written there.
    expect(folder.files()).toEqual(['kairos.yaml', ...(text === undefined ? [] : ['own.ts']), 'var/kairos.db.failed']);
  });
});

describe('a configuration that is wrong ends the start before anything is written', () => {
  test.for([
    [
      'B18: a setting that does not exist',
      ['--config', 'typo.yaml'],
      /^2 kairos: typo\.yaml:3: journl: unknown setting; the nearest known one is journal$/,
    ],
    ['B36: keys in clear', ['--set', 'service.baseUrl=http://broker.example'], /^2 kairos: --set: service\.baseUrl: .* use https$/],
    [
      'B39: limits that contradict each other',
      ['--set', 'risk.maxOrderValue=5000', '--set', 'risk.maxPositionValue=100'],
      /^2 kairos: --set: risk\.maxOrderValue: 5000 usd is more than risk\.maxPositionValue allows \(100 usd\)/,
    ],
    ['a file that is not there', ['--config', 'other.yaml'], /^2 kairos: other\.yaml: there is no such file$/],
    ['live without an address', ['--live'], /^2 kairos: --live or KAIROS_LIVE=yes is given, and the settings do not say `mode: live`/],
  ] as const)('%s', async ([, args, line], { expect }) => {
    folder.write('typo.yaml', `${CONFIG}journl: { path: x }\n`);
    const said = await refusal(...args);
    expect(said).toMatch(line);
    expect(said).not.toContain('\n');
    expect(folder.files()).toEqual(['kairos.yaml', 'typo.yaml']);
  });
});
