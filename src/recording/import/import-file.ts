import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KairosError, messageOf } from '../../domain/errors.ts';
import { isoTime } from '../../domain/names.ts';
import { renameDurably } from '../durable.ts';
import { IMPORTED } from '../manifest.ts';
import { SealWriter } from '../seal.ts';
import { hashOf, SealedRun } from '../sealed-run.ts';
import { type ColumnMap, firstBytes, readCsv, unreadable } from './csv.ts';
import { readParquet } from './parquet.ts';
import { type TickCounts, type TickOptions, Ticks } from './ticks.ts';

export interface ImportOptions {
  readonly file: string;
  readonly map: ColumnMap;
  readonly ticks: TickOptions;
  /** Folder of recordings that gets the new one. */
  readonly out: string;
  /** Told the share that is done, from 0 to 1. */
  readonly onShare?: (share: number) => void;
}

export interface Imported extends TickCounts {
  readonly run: string;
  readonly path: string;
  readonly lane: string;
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
}

/**
 * Makes a file of other people's prices into a sealed recording of one lane. Its name says product, begin and content, so
 * that importing the same again replaces it. Throws DATA_UNREADABLE with file and line, and leaves nothing behind.
 */
export async function importFile({ file, map, ticks: options, out, onShare = () => {} }: ImportOptions): Promise<Imported> {
  const size = sizeOf(file);
  const work = join(out, `.importing-${process.pid}`);
  const folder = join(work, 'sealed');
  try {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const writer = new SealWriter(folder);
    const ticks = new Ticks(options, (columns, day) => writer.writeAll(columns, day));
    if (isParquet(file)) await readParquet(file, map, ticks, onShare);
    else await readCsv(file, map, ticks, (bytes) => onShare(size === 0 ? 1 : bytes / size));
    ticks.flush();
    const { counts } = ticks;
    if (counts.quotes === 0) throw unreadable(file, `there is no row that could become a quote (${counts.rows} rows read)`);
    const { quotes } = writer;
    const from = quotes[0]?.from ?? 0;
    const tail = hashOf(Buffer.from(quotes.map(({ sha256 }) => sha256).join())).slice(0, 6);
    const run = `import-${options.lane.product}-${isoTime(from).slice(0, 19).replaceAll(/[-:]/g, '')}Z-${tail}`;
    writer.finish({ run, book: IMPORTED, part: 1, torn: null, sourceBytes: 0 });
    checkBack(folder);
    const path = join(out, run);
    rmSync(path, { recursive: true, force: true });
    renameDurably(work, path);
    const bytes = quotes.reduce((sum, one) => sum + one.bytes, 0);
    return { run, path, lane: options.lane.id, from: isoTime(from), to: isoTime(quotes.at(-1)?.to ?? 0), bytes, ...counts };
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    if (error instanceof KairosError) throw error;
    throw unreadable(file, messageOf(error), error);
  }
}

function sizeOf(file: string): number {
  if (!existsSync(file)) throw unreadable(file, 'there is no such file');
  const stat = statSync(file);
  if (!stat.isFile()) throw unreadable(file, 'it is no file');
  return stat.size;
}

function isParquet(file: string): boolean {
  return firstBytes(file, 4).toString('latin1') === 'PAR1';
}

/** What was written is what was meant, before it takes its place. */
function checkBack(folder: string): void {
  const run = new SealedRun(folder);
  for (const file of run.manifest.quotes) {
    const fault = run.fault(file);
    if (fault !== undefined) throw new KairosError('RECORDING_FAULT', `${folder}: ${fault}: check the disk`);
  }
}
