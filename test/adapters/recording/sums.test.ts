import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newestQuotes } from '#adapters/recording/newest-past.ts';
import { openColumns } from '#adapters/recording/open-columns.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { logPath, RunLog } from '#adapters/recording/run-log.ts';
import { KairosError } from '#domain/errors.ts';
import { laneIdOf, runId } from '#domain/names.ts';
import { type QuoteColumns, quoteAt } from '#domain/quote-columns.ts';
import { seeded } from '#domain/seeded.ts';
import { newFolder } from '../../support/folder.ts';
import { recordedQuote } from '../../support/recorded-quotes.ts';

const DAY = Date.UTC(2026, 10, 21);
const LANE = laneIdOf('btcusd@base:0.01');
const BOOK = 'paper';

/** A sealed recording of some quotes, and an event. */
function sealed(): { readonly dir: string; readonly folder: string; readonly quotes: string } {
  const dir = newFolder();
  const log = RunLog.create({ dir, run: runId('run-1'), book: BOOK });
  log.append({ n: 1, at: DAY, event: { kind: 'products', products: [] } });
  for (let n = 0; n < 40; n += 1) log.append({ n: n + 2, at: DAY + n, event: { kind: 'quote', quote: recordedQuote({ n }) } });
  log.close();
  tidyRecordings({ dir, keepDays: 0, now: DAY, tell: () => {} });
  const folder = path.join(dir, 'run-1', 'sealed');
  return { dir, folder, quotes: path.join(folder, 'quotes-btcusd-base-0.01-2026-11-21.parquet') };
}

const told = (lanes: readonly QuoteColumns[]) =>
  lanes.map((lane) => [lane.lane, ...Array.from({ length: lane.length }, (_, row) => [lane.at[row], quoteAt(lane, row)])]);

function flip(file: string, bit: number): void {
  const bytes = readFileSync(file);
  const at = bit >> 3;
  bytes[at] = bytes.readUInt8(at) ^ (1 << (bit & 7));
  writeFileSync(file, bytes);
}

/** What a reading comes to: its quotes as text, or what is said in their place. */
function outcome(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

/** Every way by which sealed quotes are read. */
const READINGS: Readonly<Record<string, (dir: string) => unknown>> = {
  'backtest, sweep, walk-forward and export': (dir) => told(openColumns(dir).columns),
  'parity and replay': (dir) => [...openRun(logPath(dir, 'run-1')).items()],
  'warm-up': (dir) => [...newestQuotes({ dir, book: BOOK }, new Map([[LANE, 10]]))],
};

describe('a sealed recording is what it was when it was sealed, or nothing is read (F51)', () => {
  test.each(Object.entries(READINGS))('%s: any flipped bit of the quotes is named with the file and what to do', (_, read) => {
    const { dir, quotes } = sealed();
    const bits = readFileSync(quotes).length * 8;
    const random = seeded('sums 7');
    for (let round = 0; round < 100; round += 1) {
      const bit = Math.floor(random.next() * bits);
      flip(quotes, bit);
      expect(outcome(() => read(dir))).toBe(
        `RECORDING_DAMAGED: ${quotes} was changed after it was sealed; restore it from a copy, or move the recording elsewhere`,
      );
      flip(quotes, bit);
    }
  });

  test('a flipped bit of the manifest changes no quote in silence', () => {
    const { dir, folder } = sealed();
    const manifest = path.join(folder, 'manifest.json');
    const whole = outcome(() => told(openColumns(dir).columns));
    const bits = readFileSync(manifest).length * 8;
    const random = seeded('sums 8');
    for (let round = 0; round < 300; round += 1) {
      const bit = Math.floor(random.next() * bits);
      flip(manifest, bit);
      const found = outcome(() => told(openColumns(dir).columns));
      if (found !== whole) expect(found).toMatch(/^RECORDING_(?:DAMAGED|UNREADABLE|FORMAT): .*manifest\.json/);
      flip(manifest, bit);
    }
  });

  test('raw columns that were kept are read as long as they and the sealed file are the same', () => {
    const { dir, folder, quotes } = sealed();
    const whole = outcome(() => told(openColumns(dir).columns));
    const [name = ''] = readdirSync(path.join(folder, 'cache'));
    const cache = path.join(folder, 'cache', name);
    const bits = readFileSync(cache).length * 8;
    const random = seeded('sums 9');
    for (let round = 0; round < 100; round += 1) {
      flip(cache, Math.floor(random.next() * bits));
      expect(outcome(() => told(openColumns(dir).columns))).toBe(whole);
    }
    flip(quotes, 1000);
    expect(outcome(() => told(openColumns(dir).columns))).toMatch(/^RECORDING_DAMAGED: /);
    flip(quotes, 1000);
    utimesSync(quotes, 1, 1);
    expect(outcome(() => told(openColumns(dir).columns))).toBe(whole);
  });
});
