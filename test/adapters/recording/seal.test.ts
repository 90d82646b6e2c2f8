import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import { type LogEntry, lineOf } from '#adapters/recording/log-format.ts';
import { readManifest, sealedFolder, writeManifest } from '#adapters/recording/manifest.ts';
import { isRecorded, openRun } from '#adapters/recording/open-run.ts';
import { partLog } from '#adapters/recording/parts.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { sealLog, sealRun } from '#adapters/recording/seal.ts';
import { runId } from '#domain/names.ts';
import { newFolder } from '../../support/folder.ts';
import { recordedQuote } from '../../support/recorded-quotes.ts';
import { writeVenueFeed } from '../../support/venue-feed.ts';

const DAY = Date.UTC(2026, 10, 21);

/** A log of the venue's feed, in the middle of a day or over a UTC midnight. */
function venueLog(rounds: number, middle: 'noon' | 'midnight' = 'noon'): { path: string; quotes: number; lines: string[] } {
  const log = RunLog.create({ dir: newFolder(), run: runId('20261121T000000Z-000001'), book: 'paper' });
  const start = DAY + (middle === 'noon' ? 43_200_000 : 86_400_000) - rounds * 250;
  const quotes = writeVenueFeed(log, { start, rounds, first: { n: 1, at: start, event: { kind: 'wake' } } });
  log.close();
  return { path: log.path, quotes, lines: linesOf(log.path) };
}

/** Seals all parts; returns the bytes that the logs had. */
const sealAll = (log: string): number => [...sealRun(log, DAY)].reduce((sum, { from }) => sum + from, 0);

const linesOf = (log: string): string[] => [...openRun(log).items()].map(lineOf);

describe('sealing a log', () => {
  test("the venue's own feed takes at most 40 bytes a quote, ids included, and reads back the same", () => {
    const { path: log, quotes, lines } = venueLog(2000, 'midnight');
    const before = sealAll(log);
    const files = [1, 2].flatMap((part) => readManifest(sealedFolder(partLog(log, part))).quotes);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    console.info(`sealed: ${(bytes / quotes).toFixed(1)} bytes a quote, its log ${(before / quotes).toFixed(0)}`);
    expect(bytes / quotes).toBeLessThanOrEqual(40);
    expect(existsSync(log)).toBe(false);
    expect(files.map(({ lane, day }) => `${lane} ${day}`)).toHaveLength(8);
    expect(linesOf(log)).toEqual(lines);
  });

  test('B19 a manifest that names a file twice, or a time that no calendar has, is not read, though its own sum is right', () => {
    const { path: log } = venueLog(60);
    sealAll(log);
    const folder = sealedFolder(log);
    const manifest = readManifest(folder);
    const [first] = manifest.quotes;
    if (!first) throw new Error('nothing was sealed');
    for (const [quotes, why] of [
      [[first, first], 'quotes: it names a file twice'],
      [[{ ...first, to: 1e308 }], 'quotes.0.to: Too big'],
    ] as const) {
      writeManifest(folder, { ...manifest, quotes });
      expect(() => readManifest(folder)).toThrow(
        expect.objectContaining({ code: 'RECORDING_UNREADABLE', message: expect.stringContaining(why) }),
      );
    }
  });

  test('wherever it is interrupted, nothing is lost and the next time goes on (F45)', () => {
    const { path: log, lines } = venueLog(60);
    const steps: string[] = [];
    const raw = readFileSync(log);
    sealLog(log, (step) => steps.push(step));
    expect(steps.slice(0, 2)).toEqual(['begin', 'quotes-btcusd-base-0.01-2026-11-21.parquet']);
    expect(steps.slice(-3)).toEqual(['manifest', 'take its place', 'remove the log']);
    for (const [index, stop] of steps.entries()) {
      rmSync(path.dirname(log), { recursive: true });
      RunLog.create({ dir: path.dirname(path.dirname(log)), run: runId('20261121T000000Z-000001'), book: 'paper' }).close();
      writeFileSync(log, raw);
      let step = -1;
      const power = () => {
        step += 1;
        if (step === index) throw new Error(`power cut at ${stop}`);
      };
      expect(() => sealLog(log, power)).toThrow(/power cut/);
      expect(linesOf(log)).toEqual(lines);
      expect(sealLog(log)?.lines).toBe(lines.length);
      expect(linesOf(log)).toEqual(lines);
      expect(readdirSync(path.dirname(log))).toEqual(['sealed']);
    }
  });

  test('a last line that was cut off is said, the rest is sealed', () => {
    const { path: log, lines } = venueLog(20);
    appendFileSync(log, '["q",999,17');
    sealLog(log);
    const run = openRun(log);
    expect([...run.items()].map(lineOf)).toEqual(lines);
    expect(run.torn).toEqual({ line: lines.length + 2, bytes: 11 });
  });

  test('what a dead process has left half done goes, and one that seals meanwhile keeps its own', () => {
    const { path: log, lines } = venueLog(20);
    const folder = path.dirname(log);
    mkdirSync(path.join(folder, `sealing-${2 ** 30}-0`));
    mkdirSync(path.join(folder, `sealing-${process.ppid}-0`));
    sealLog(log);
    expect(readdirSync(folder).sort()).toEqual(['sealed', `sealing-${process.ppid}-0`]);
    expect(linesOf(log)).toEqual(lines);
  });

  test('a log that cannot be read stays as it is', () => {
    const { path: log } = venueLog(20);
    const text = readFileSync(log, 'utf8').split('\n');
    text[5] = '["q",oops]';
    writeFileSync(log, text.join('\n'));
    expect(() => sealLog(log)).toThrow(/:6: /);
    expect(existsSync(log)).toBe(true);
    expect(isRecorded(log)).toBe(true);
  });

  test('lanes whose names differ only in what a file name cannot hold have files of their own', () => {
    const log = RunLog.create({ dir: newFolder(), run: runId('r'), book: 'paper' });
    const items: LogEntry[] = ['a/b', 'a:b', '../a', ''].map((lane, n) => ({
      kind: 'event',
      event: { n, at: DAY + n, event: { kind: 'quote', quote: recordedQuote({ n, lane }) } },
    }));
    for (const item of items) if (item.kind === 'event') log.append(item.event);
    log.close();
    sealLog(log.path);
    expect([...openRun(log.path).items()]).toEqual(items);
    expect(columnsOf(openRun(log.path).items()).map(({ lane }) => lane)).toEqual(['a/b', 'a:b', '../a', '']);
    expect(statSync(path.dirname(log.path)).isDirectory()).toBe(true);
  });
});
