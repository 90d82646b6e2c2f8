import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bundle } from '#adapters/export/bundle.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { syntheticRecording } from '../support/synthetic-recording.ts';

const folder = new DaemonFolder('outputs');
const kairos = (line: string) => kairosHere(line.split(' '), { cwd: folder.path });

const VARY = '--data recorded --vary cross.fast=2,3';
/** Commands that write a file, without its name, and how it is called by them. */
const WRITES = [
  ['report last --journal kept.db --report', 'result.html'],
  ['backtest --data recorded --report', 'result.html'],
  [`sweep ${VARY} --report`, 'result.html'],
  [`walk-forward ${VARY} --train 2m --test 1m --report`, 'result.html'],
  [`sweep ${VARY} --out`, 'trials.csv'],
  [`sweep ${VARY} --out`, 'trials.json'],
  ['data export recorded --out', 'quotes.csv'],
  ['data export recorded --out', 'quotes.parquet'],
  ['data export recorded --candles 1m --out', 'quotes.csv'],
  ['journal backup --journal kept.db', 'copy.db'],
  ['export kept.db --to', 'bundle'],
] as const;

/** What is lost where an output is written over it, with what it holds. */
const LOST = ['var/kairos.db', 'var/kairos.db-wal', 'var/kairos.db.lease', 'var/ops-token', 'kairos.yaml'];
/** Files of others that begin as those of Kairos do. */
const FOREIGN = {
  'index.html': '<!doctype html>\n<head>\n<meta http-equiv="Content-Security-Policy" content="">\n<title>Mine</title>\n',
  'mine.csv': 'id,from,to,amount\n1,2,3,4\n',
  'prices.csv': 'product,lane,price\n1,2,3\n',
  'mine.json': '[\n  {\n    "id": "9",\n    "name": "mine"\n  }\n]\n',
  'mine.parquet': 'PAR1\x06other!\x19PAR1',
};

let journal: SqliteJournal;
beforeAll(async () => {
  mkdirSync(path.join(folder.path, 'var'));
  syntheticRecording({ dir: path.join(folder.path, 'recorded'), lanes: ['btcusd 0.01'], seconds: 300 });
  folder.write('kairos.yaml', 'strategies:\n  - { id: cross, use: sma-cross, product: btcusd, amount: { base: 0.01 } }\n');
  folder.write('var/ops-token', 'token\n');
  for (const [name, text] of Object.entries(FOREIGN)) folder.write(name, text);
  journal = SqliteJournal.open({ path: folder.journal, book: 'paper', beforeCommit: () => {} });
  expect(await kairos('backtest --data recorded --journal kept.db')).toMatchObject({ code: 0 });
});
afterAll(() => {
  journal.close();
  folder.remove();
});

test.each(WRITES)('%s writes anew what it has written, and over nothing else', async (line, name) => {
  for (const _ of ['first', 'again']) expect(await kairos(`${line} ${name}`)).toMatchObject({ code: 0 });
  const bytesOf = (file: string): Buffer => readFileSync(path.join(folder.path, file));
  for (const file of [...LOST, ...Object.keys(FOREIGN)]) {
    const before = bytesOf(file);
    const { code, stderr } = await kairos(`${line} ${file}`);
    // An export is a folder: a file in its place is told of as what cannot be written.
    expect([file, code, stderr.split('\n').length]).toEqual([file, line.startsWith('export') ? 1 : 2, 2]);
    expect(bytesOf(file)).toEqual(before);
  }
});

test('a sealed recording, an archive and a bundle are what they were where an output has their name', async () => {
  expect(await kairos('data seal recorded')).toMatchObject({ code: 0 });
  const [sealed] = globSync('recorded/*/sealed/quotes-*.parquet', { cwd: folder.path });
  copyFileSync(path.join(folder.path, 'kept.db'), path.join(folder.path, 'kairos.db.archive-5'));
  mkdirSync(path.join(folder.path, 'tables'));
  writeFileSync(path.join(folder.path, 'tables/orders.parquet'), 'PAR1');
  mkdirSync(path.join(folder.path, 'holds'));
  copyFileSync(folder.journal, path.join(folder.path, 'holds/bundle.sqlite'));
  mkdirSync(path.join(folder.path, 'large'));
  new Database(path.join(folder.path, 'large/bundle.sqlite')).exec('PRAGMA page_size = 16384; CREATE TABLE mine (one)').close();
  mkdirSync(path.join(folder.path, 'earlier'));
  const earlier = 'PRAGMA page_size = 16384; PRAGMA user_version = 1; CREATE TABLE runs (one)';
  new Database(path.join(folder.path, 'earlier/bundle.sqlite')).exec(earlier).close();
  expect(await kairos('export kept.db --to earlier')).toMatchObject({ code: 0 });
  for (const line of [
    `data export recorded --out ${sealed}`,
    'journal backup --journal kept.db kairos.db.archive-5',
    'export kept.db --to tables',
    'export kept.db --to holds',
    'export kept.db --to large',
  ])
    expect([line, (await kairos(line)).code]).toEqual([line, 2]);
});

test('an export that was broken off between two tables leaves what was there, and the next one is not refused', async () => {
  for (const name of ['new', 'bundle']) {
    const dir = path.join(folder.path, name);
    const whole = (): readonly string[] => globSync('*.{sqlite,parquet}', { cwd: dir }).toSorted();
    const before = whole();
    const bundle = new Bundle(dir);
    const [work = ''] = globSync(['bundle.sqlite.*', '*/bundle.sqlite'], { cwd: dir });
    new Database(path.join(dir, work)).exec('DROP TABLE orders').close();
    expect(() => bundle.finish()).toThrow('orders');
    expect(whole()).toEqual(before);
    expect(await kairos(`export kept.db --to ${name}`)).toMatchObject({ code: 0 });
  }
});
