import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newestQuotes } from '#adapters/recording/newest-past.ts';
import { openColumns } from '#adapters/recording/open-columns.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { runId } from '#domain/names.ts';
import { type QuoteColumns, quoteAt } from '#domain/quote-columns.ts';
import { recordedData } from '#research/backtest/data.ts';
import { newFolder } from '../../support/folder.ts';
import { recordedQuote } from '../../support/recorded-quotes.ts';

const DAY_MS = 86_400_000;
const DAY = Date.UTC(2026, 10, 21);
const ETH = 'ethusd@base:0.2';

/** A run with two quotes of two lanes on each of two days. */
function record(dir: string, run: string, start: number): void {
  const log = RunLog.create({ dir, run: runId(run), book: 'paper' });
  const times = [start, start + 1, start + DAY_MS, start + DAY_MS + 1];
  for (const [n, at] of times.entries()) {
    log.append({ n: 2 * n, at, event: { kind: 'quote', quote: recordedQuote({ n, capitals: n === 3 }) } });
    log.append({ n: 2 * n + 1, at, event: { kind: 'quote', quote: recordedQuote({ n, lane: ETH }) } });
  }
  log.close();
}

const seal = (dir: string) => tidyRecordings({ dir, keepDays: 0, now: DAY, tell: () => {} });

const told = (lanes: readonly QuoteColumns[]) =>
  lanes.map((lane) => ({ lane: lane.lane, at: [...lane.at], quotes: Array.from({ length: lane.length }, (_, i) => quoteAt(lane, i)) }));

type QuoteOf = ReturnType<typeof quoteAt>;

describe('columns of recordings', () => {
  test('runs and days of a lane one after the other, from logs, sealed, and from the cache the same', () => {
    const dir = newFolder();
    record(dir, 'b-earlier', DAY - 5 * DAY_MS);
    record(dir, 'a-later', DAY);
    const logs = told(openColumns(dir).columns);
    expect(logs.map(({ lane }) => lane).sort()).toEqual(['btcusd@base:0.01', ETH]);
    expect(logs[0]?.at).toEqual([-5, -4, 0, 1].flatMap((day) => [DAY + day * DAY_MS, DAY + day * DAY_MS + 1]));
    seal(dir);
    expect(told(openColumns(dir).columns)).toEqual(logs);
    const [cache = '', other = ''] = ['sealed', 'sealed-000002'].map((part) => path.join(dir, 'a-later', part, 'cache'));
    // The days whose ids 16 bytes cannot tell are read anew each time.
    expect([cache, other].map((folder) => readdirSync(folder).length)).toEqual([2, 1]);
    expect(told(openColumns(dir).columns)).toEqual(logs);
    for (const name of readdirSync(cache)) truncateSync(path.join(cache, name), 10);
    expect(told(openColumns(dir).columns)).toEqual(logs);
    rmSync(cache, { recursive: true });
    expect(told(openColumns(path.join(dir, 'a-later')).columns)).toHaveLength(2);
    expect(existsSync(cache)).toBe(true);
  });

  test('two runs of one time are mixed by the times of their quotes, from logs and sealed', () => {
    const dir = newFolder();
    record(dir, 'a', DAY);
    record(dir, 'b', DAY + 1);
    const alone = ['a', 'b'].map((run) => told(openColumns(path.join(dir, run)).columns)[0]?.quotes ?? []);
    const [mixed] = told(openColumns(dir).columns);
    const [a, b] = alone as [QuoteOf[], QuoteOf[]];
    expect(mixed?.at).toEqual([DAY, DAY + 1, DAY + 1, DAY + 2, ...[0, 1, 1, 2].map((ms) => DAY + DAY_MS + ms)]);
    expect(mixed?.quotes).toEqual([a[0], a[1], b[0], b[1], a[2], a[3], b[2], b[3]]);
    seal(dir);
    expect(told(openColumns(dir).columns)[0]).toEqual(mixed);
  });

  test('a recording that was copied beside itself is there once, and the copy is told; without the first of them too', () => {
    const dir = newFolder();
    record(dir, 'run', DAY);
    seal(dir);
    const alone = told(openColumns(dir).columns);
    for (const copy of ['a copy', 'backup']) cpSync(path.join(dir, 'run'), path.join(dir, copy), { recursive: true });
    const lines: string[] = [];
    expect(told(openColumns(dir, {}, (line) => lines.push(line)).columns)).toEqual(alone);
    const line = (copy: string, of: string) => `left out: ${path.join(dir, copy)} is a copy of ${path.join(dir, of)}: remove one of them`;
    expect(lines).toEqual([line('a copy', 'run'), line('backup', 'run')]);
    rmSync(path.join(dir, 'run'), { recursive: true });
    expect(recordedData(dir)).toMatchObject({ runs: ['run'], leftOut: [line('backup', 'a copy')], overlapping: [] });
  });

  test('what cannot be looked into, and a log that a power cut left empty, hide no other recording from readers, warm-up and sealing', () => {
    const dir = newFolder();
    record(dir, 'run', DAY);
    // No user reads a link to itself; `lost+found` is root's.
    symlinkSync('lost+found', path.join(dir, 'lost+found'));
    mkdirSync(path.join(dir, 'cut-off'));
    writeFileSync(path.join(dir, 'cut-off/inbox.ndjson'), '');
    const lines: string[] = [];
    const columns = told(openColumns(dir, {}, (line) => lines.push(line)).columns);
    expect(columns).toEqual(told(openColumns(path.join(dir, 'run')).columns));
    expect(lines).toEqual([expect.stringMatching(/^left out: .*lost\+found cannot be read \(ELOOP/)]);
    expect(newestQuotes({ dir, book: 'paper' }, new Map([[ETH, 2]])).get(ETH)).toHaveLength(2);
    expect(seal(dir)).toBe(2);
    expect(told(openColumns(dir).columns)).toEqual(columns);
    expect(() => openColumns(path.join(dir, 'lost+found'))).toThrow(/lost\+found is not a folder of recordings/);
  });

  test('a span and products, both ends where they are said', () => {
    const dir = newFolder();
    record(dir, 'run', DAY);
    for (const sealed of [false, true]) {
      if (sealed) seal(dir);
      const [lane, ...others] = openColumns(dir, { from: DAY + 1, to: DAY + DAY_MS + 1 }).columns;
      expect(told(lane ? [lane] : [])[0]?.at).toEqual([DAY + 1, DAY + DAY_MS]);
      expect(others).toHaveLength(1);
      expect(openColumns(dir, { from: DAY + DAY_MS + 2 }).columns).toEqual([]);
      expect(openColumns(dir, { reads: ({ product }) => product === 'ethusd' }).columns).toEqual([]);
      expect(openColumns(dir, { reads: ({ product }) => product === 'btcusd', to: DAY + 1 }).columns.map(({ length }) => length)).toEqual([
        1, 1,
      ]);
    }
  });

  test('recordings of another format are left out by name, sealed or in a log; alone they are refused', () => {
    const dir = newFolder();
    for (const run of ['old-sealed', 'whole']) record(dir, run, DAY);
    seal(dir);
    const manifest = path.join(dir, 'old-sealed/sealed/manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"format": 2', '"format": 1'));
    mkdirSync(path.join(dir, 'old-log'));
    writeFileSync(path.join(dir, 'old-log/inbox.ndjson'), '{"kairos":"inbox","format":1,"run":"old-log","book":"paper"}\n');
    const lines: string[] = [];
    expect(openColumns(dir, {}, (line) => lines.push(line)).columns.map(({ length }) => length)).toEqual([4, 4]);
    const advice = 'its format is 1, and this Kairos reads 2: read it with the version that made it, or move its folder away';
    expect(lines).toEqual([
      `left out: ${path.join(dir, 'old-log/inbox.ndjson')}: ${advice}`,
      `left out: ${path.join(dir, 'old-sealed/sealed/manifest.json')}: ${advice}`,
    ]);
    expect(recordedData(dir)).toMatchObject({ runs: ['whole'], leftOut: lines });
    rmSync(path.join(dir, 'whole'), { recursive: true });
    expect(() => openColumns(dir)).toThrow(/old-log.*its format is 1/);
    expect(() => openColumns(path.join(dir, 'old-sealed'))).toThrow(/old-sealed.*its format is 1/);
  });

  test('all lies in memory that threads can share', () => {
    const dir = newFolder();
    record(dir, 'run', DAY);
    seal(dir);
    for (const { at, ids } of openColumns(dir).columns) {
      expect(at.buffer).toBeInstanceOf(SharedArrayBuffer);
      expect(ids.buffer).toBe(at.buffer);
    }
  });
});
