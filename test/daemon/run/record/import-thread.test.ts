import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import type { TickDay } from '#adapters/recording/import/tick-day.ts';
import type { TickOptions } from '#adapters/recording/import/ticks.ts';
import { readManifest } from '#adapters/recording/manifest.ts';
import { IN_THREAD } from '#daemon/run/record/import-thread.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { folder } from '../../../config/support.ts';

const LANE = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
const QUOTES = { baseCcy: currency('eur'), quoteCcy: currency('usd'), size: 1000, feePercentage: 0.1, validMs: 3000 };
const TICKS: TickOptions = { ...QUOTES, lane: LANE, afterMs: 0, crossed: 'drop' };
const ALWAYS = { ...IN_THREAD, fromBytes: 0 };
const MAP = { time: 'time', bid: 'bid', ask: 'ask', unit: 'auto' } as const;

/** Six days of ticks. */
function ticks(dir: string): string {
  const rows = Array.from({ length: 15_000 }, (_, n) => `${Date.UTC(2014, 4, 1) + n * 34_560},1.3867${n % 10},1.3868${n % 7}`);
  const file = path.join(dir, 'ticks.csv');
  writeFileSync(file, `time,bid,ask\n${rows.join('\n')}\n`);
  return file;
}

describe('an import that writes in a thread of its own', () => {
  test('is the same to the byte, and shows how far it is', async () => {
    const dir = folder();
    const file = ticks(dir);
    const shares: number[] = [];
    const here = await importFile({ file, map: MAP, ticks: TICKS, out: path.join(dir, 'here') });
    const onShare = (share: number): void => void shares.push(share);
    const there = await importFile({ file, map: MAP, ticks: TICKS, out: path.join(dir, 'there'), onShare, elsewhere: ALWAYS });
    expect({ ...there, path: '' }).toEqual({ ...here, path: '' });
    const sealed = (of: string): string => path.join(of, 'sealed');
    expect(readManifest(sealed(there.path))).toEqual(readManifest(sealed(here.path)));
    expect(readManifest(sealed(there.path)).quotes).toHaveLength(6);
    expect(shares.at(-1)).toBe(1);
  });

  test('a row that cannot be read ends it in one line, and nothing is left behind', async () => {
    const dir = folder();
    const file = ticks(dir);
    writeFileSync(file, `${readFileSync(file, 'utf8')}noon,1,2\n`);
    const work = importFile({ file, map: MAP, ticks: TICKS, out: path.join(dir, 'out'), elsewhere: ALWAYS });
    await expect(work).rejects.toMatchObject({ code: 'DATA_UNREADABLE', message: expect.stringMatching(/ticks\.csv:15002: .*'noon'/) });
  });

  test('what keeps the thread from writing is told', async () => {
    const dir = path.join(folder(), 'sealed');
    mkdirSync(dir);
    const writer = ALWAYS.writer(dir, { ...QUOTES, lane: LANE.id, product: LANE.product });
    rmSync(dir, { recursive: true });
    const column = (): Float64Array<ArrayBuffer> => Float64Array.of(1, 2);
    const day: TickDay = { day: '2014-05-01', before: 0, rows: 2, at: column(), bid: column(), ask: column() };
    writer.write(day);
    expect(day.at).toHaveLength(0);
    await expect(writer.finish()).rejects.toThrow(/ENOENT/);
    await writer.close();
  });
});
