import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gapsIn, lanesIn, recordingsIn } from '#adapters/recording/catalog.ts';
import { lastQuotes, lastQuotesOf } from '#adapters/recording/last-quotes.ts';
import { lineOf } from '#adapters/recording/log-format.ts';
import { newestQuotes } from '#adapters/recording/newest-past.ts';
import { openColumns } from '#adapters/recording/open-columns.ts';
import { isRecorded, openRun } from '#adapters/recording/open-run.ts';
import { partLog } from '#adapters/recording/parts.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { RunLog, type RunLogOptions } from '#adapters/recording/run-log.ts';
import { sealRun } from '#adapters/recording/seal.ts';
import { verifyRun } from '#adapters/recording/verify-run.ts';
import { type LaneId, laneIdOf, productCode, runId } from '#domain/names.ts';
import { recordedQuote } from '../../support/recorded-quotes.ts';

const DAY_MS = 86_400_000;
const DAY = Date.UTC(2026, 10, 21);
const RUN = runId('20261121T000000Z-000001');
const BTC = laneIdOf('btcusd@base:0.01');
const ETH: LaneId = laneIdOf('ethusd@base:1');

function create({ dir = mkdtempSync(path.join(tmpdir(), 'kairos-parts-')), ...options }: Partial<RunLogOptions> = {}): RunLog {
  const log = RunLog.create({ dir, run: RUN, book: 'paper', ...options });
  onTestFinished(() => {
    log.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return log;
}

/** Events from `first` on, one a time of `times`: quotes of two lanes in turn, and a wake-up before each fourth. */
function fill(log: RunLog, times: readonly number[], first = 1): number {
  let n = first;
  for (const [index, at] of times.entries()) {
    if (n === 1) log.append({ n: n++, at, event: { kind: 'products', products: [] } });
    if (index % 4 === 3) log.append({ n: n++, at, event: { kind: 'wake' } });
    if (index % 5 === 4) log.conflated(at, recordedQuote({ n: 1000 + index, lane: ETH }));
    log.append({ n: n++, at, event: { kind: 'quote', quote: recordedQuote({ n, lane: index % 2 === 0 ? BTC : ETH }) } });
  }
  return n;
}

const every = (ms: number, from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index * ms);
const namesIn = (log: RunLog): readonly string[] => readdirSync(log.folder).sort();
const linesOf = (log: RunLog): readonly string[] => [...openRun(log.path).items()].map(lineOf);
const numbersOf = (log: RunLog): readonly number[] =>
  [...openRun(log.path).items()].flatMap((item) => (item.kind === 'event' ? [item.event.n] : []));
const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, index) => index + 1);

describe('a log goes on in parts', () => {
  test('the first event of a UTC day begins one, and so does the event that comes when a part is large; all read as one (F45)', () => {
    const log = create({ rollBytes: 4000 });
    let next = fill(log, every(500, DAY - 5000, 20));
    log.flush();
    next = fill(log, every(500, DAY + 5000, 40), next);
    log.flush();
    expect(log.part).toBeGreaterThan(3);
    expect(namesIn(log).slice(0, 3)).toEqual(['inbox-000002.ndjson', 'inbox-000003.ndjson', 'inbox-000004.ndjson']);
    expect(numbersOf(log)).toEqual(upTo(next - 1));
    const parts = openRun(log.path).parts();
    let before = 0;
    for (const [index, part] of parts.entries()) {
      const items = [...part.items()];
      expect(part.header).toMatchObject({ part: index + 1, before, run: RUN });
      before += items.length;
    }
    const days = parts.map(
      (part) => new Set([...part.items()].map((item) => Math.floor((item.kind === 'event' ? item.event.at : item.at) / DAY_MS))),
    );
    expect(days.every(({ size }) => size === 1)).toBe(true);
    expect(recordingsIn(path.dirname(log.folder))).toEqual([log.path]);
    expect(recordingsIn(log.folder)).toHaveLength(1);
    writeFileSync(path.join(path.dirname(log.folder), 'notes.txt'), 'no recording');
    expect(recordingsIn(path.dirname(log.folder))).toHaveLength(1);
  });

  test('finished parts are sealed while the run goes on; whoever reads finds the same in logs, in both, and sealed', () => {
    const log = create();
    let next = fill(log, every(1000, DAY - 8000, 20));
    log.flush();
    const seen = () => ({
      lines: linesOf(log),
      lanes: lanesIn(log.path).map(({ bytes, ...lane }) => lane),
      gaps: gapsIn(log.path, 1500),
      places: openColumns(log.folder).columns.map(({ line }) => [...line]),
      last: lastQuotes(log.path),
      newest: newestQuotes(
        { dir: path.dirname(log.folder), book: 'paper' },
        new Map([
          [BTC, 9],
          [ETH, 3],
        ]),
      ),
    });
    const raw = seen();
    expect(raw.newest.get(BTC)).toHaveLength(9);
    expect(
      raw.places
        .flat()
        .sort((a, b) => a - b)
        .at(-1),
    ).toBe(raw.lines.length);
    expect([...sealRun(log.path, DAY)]).toMatchObject([{ part: 1 }]);
    expect(namesIn(log)).toEqual(['inbox-000002.ndjson', 'sealed', 'writing.json']);
    expect(seen()).toEqual(raw);
    expect([...sealRun(log.path, DAY)]).toEqual([]);
    expect(verifyRun(log.path)).toMatchObject({ sealed: false, faults: [] });
    next = fill(log, every(1000, DAY + 30_000, 5), next);
    log.close();
    const longer = seen();
    expect([...sealRun(log.path, DAY)]).toMatchObject([{ part: 2 }]);
    expect(namesIn(log)).toEqual(['sealed', 'sealed-000002']);
    expect(seen()).toEqual(longer);
    expect(verifyRun(log.path)).toMatchObject({ sealed: true, faults: [] });
  });

  test('the last quote of a product that has long been silent is found: behind the end of a log, in an earlier part, sealed', () => {
    const log = create();
    const silent = { ...recordedQuote({ n: 1, lane: ETH }), product: productCode('ethusd') };
    log.append({ n: 1, at: DAY - 9000, event: { kind: 'quote', quote: silent } });
    const next = fill(log, every(0, DAY - 8000, 20_000), 2);
    log.flush();
    const found = () => lastQuotesOf(log.path, 'ethusd');
    const expected = [{ at: DAY - 9000, quote: silent }];
    expect(found()).toEqual(expected);
    fill(log, every(1000, DAY, 20), next);
    fill(log, every(1000, DAY + DAY_MS, 20), next + 30);
    log.close();
    expect(found()).toEqual(expected);
    expect([...sealRun(log.path, DAY)]).toHaveLength(3);
    expect(found()).toEqual(expected);
    expect(lastQuotesOf(log.path, 'adausd')).toEqual([]);
  });

  test('a reader that began before parts were sealed reads on', () => {
    const log = create({ rollBytes: 3000 });
    const next = fill(log, every(1000, DAY, 60));
    log.close();
    const items = openRun(log.path).items();
    let read = 0;
    for (const _ of items) {
      read += 1;
      if (read === 2) for (const _sealed of sealRun(log.path, DAY));
    }
    expect(read).toBeGreaterThanOrEqual(next - 1);
  });

  test('wherever the sealing of several parts is interrupted, nothing is lost and the next time goes on (F45)', () => {
    const log = create();
    fill(log, every(1000, DAY - 3000, 8));
    log.close();
    const lines = linesOf(log);
    let cuts = 0;
    for (let done = false; !done; ) {
      let step = 0;
      const power = (): void => {
        step += 1;
        if (step > cuts) throw new Error('power cut');
      };
      try {
        for (const _ of sealRun(log.path, DAY, power));
        done = true;
      } catch {
        cuts += 1;
      }
      expect(linesOf(log)).toEqual(lines);
    }
    // Two lanes, events, manifest and three steps more, of the first part and then of both.
    expect(cuts).toBeGreaterThan(6);
    expect(namesIn(log)).toEqual(['sealed', 'sealed-000002']);
  });

  test('a writer that was cut off between two parts has lost nothing, and a part that cannot begin leaves the present one going on', () => {
    const log = create();
    writeFileSync(partLog(log.path, 2), '');
    const next = fill(log, every(1000, DAY - 3000, 8));
    log.flush();
    expect(log.part).toBe(1);
    expect(numbersOf(log)).toEqual(upTo(next - 1));
    expect(isRecorded(log.path)).toBe(true);
    expect([...sealRun(log.path, DAY)]).toEqual([]);
    rmSync(partLog(log.path, 2));
    log.append({ n: next, at: DAY + 9000, event: { kind: 'wake' } });
    log.flush();
    expect(log.part).toBe(2);
    expect(numbersOf(log)).toEqual(upTo(next));
  });

  test('F46 a disk that refuses at the end of a part: what waits is written whole once there is room, and then the next begins', () => {
    let room = true;
    const log = create({
      write: (fd, bytes, offset) => {
        if (!room) throw new Error('ENOSPC: no space left on device');
        return writeSync(fd, bytes, offset);
      },
    });
    let next = fill(log, every(1000, DAY - 8000, 6));
    room = false;
    next = fill(log, every(1000, DAY, 6), next);
    expect(log.part).toBe(1);
    expect(() => log.flush()).toThrow(/no space left/);
    room = true;
    log.flush();
    next = fill(log, every(1000, DAY + 6000, 6), next);
    log.flush();
    expect(log.part).toBe(2);
    expect(numbersOf(log)).toEqual(upTo(next - 1));
  });
});

describe('keepDays within a run that goes on', () => {
  test('old days go, the beginning and what is written now stay, and it is said', () => {
    const log = create();
    const dir = path.dirname(log.folder);
    const next = fill(log, every(DAY_MS / 4, DAY - 5 * DAY_MS, 22));
    log.flush();
    const told: string[] = [];
    const tidy = (now: number) => tidyRecordings({ dir, keepDays: 2, now, tell: (_, text) => told.push(text) });
    expect(tidy(DAY)).toBe(5);
    expect(told.at(-1)).toBe(`recording ${RUN}: quotes before 2026-11-19 removed by recording.keepDays (2)`);
    expect(tidy(DAY)).toBe(0);
    expect(told).toHaveLength(6);
    const kept = numbersOf(log);
    expect(kept[0]).toBe(1);
    expect(kept.at(-1)).toBe(next - 1);
    expect(kept.length).toBeLessThan(next - 1);
    expect(openColumns(dir).columns.every(({ at }) => (at[0] ?? 0) >= DAY - 2 * DAY_MS)).toBe(true);
    expect(verifyRun(log.path).faults).toEqual(['quotes before 2026-11-19 were removed by recording.keepDays']);
    expect(readdirSync(path.join(log.folder, 'sealed-000002'))).toEqual(['manifest.json']);
    tidy(DAY + 30 * DAY_MS);
    expect(existsSync(log.path.replace('inbox', 'inbox-000006'))).toBe(true);
    expect(lanesIn(log.path)).toHaveLength(2);
    log.close();
    const newer = RunLog.create({ dir, run: runId('newer'), book: 'paper' });
    fill(newer, [DAY + 20 * DAY_MS, DAY + 29 * DAY_MS]);
    newer.close();
    tidy(DAY + 30 * DAY_MS);
    expect(existsSync(log.folder)).toBe(false);
    expect(told.at(-1)).toBe(`recording ${RUN} removed: its last quote is older than recording.keepDays (2)`);
  });
});

test('imports and recordings of other books, however many and however new, do not hide what this book has recorded', () => {
  const own = create();
  fill(own, every(500, DAY, 20));
  own.flush();
  const dir = path.dirname(own.folder);
  for (const number of upTo(6)) {
    for (const run of [`import-${number}`, `20261122T00000${number}Z-000001`]) {
      const other = create({ dir, run: runId(run), book: run.startsWith('import') ? 'imported' : 'recorded' });
      fill(other, every(500, DAY, 4));
      other.flush();
    }
  }
  expect(newestQuotes({ dir, book: 'paper' }, new Map([[BTC, 9]])).get(BTC)).toHaveLength(9);
});
