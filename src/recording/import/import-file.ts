import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KairosError, messageOf } from '../../domain/errors.ts';
import { isoTime } from '../../domain/names.ts';
import { renameDurably } from '../durable.ts';
import { type ColumnMap, firstBytes, readCsv, unreadable } from './csv.ts';
import { type DayWriter, writerHere } from './import-writer.ts';
import { readParquet } from './parquet.ts';
import type { TickQuotes } from './tick-day.ts';
import { type TickCounts, type TickOptions, Ticks } from './ticks.ts';

export interface ImportOptions {
  readonly file: string;
  readonly map: ColumnMap;
  readonly ticks: TickOptions;
  /** Folder of recordings that gets the new one. */
  readonly out: string;
  /** Told the share that is done, from 0 to 1. */
  readonly onShare?: (share: number) => void;
  /** What writes beside the reading, and the size of a file from which on it does. */
  readonly elsewhere?: { readonly writer: (folder: string, quotes: TickQuotes) => DayWriter; readonly fromBytes: number };
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
export async function importFile({ file, map, ticks: options, out, onShare = () => {}, elsewhere }: ImportOptions): Promise<Imported> {
  const size = sizeOf(file);
  const work = join(out, `.importing-${process.pid}`);
  const folder = join(work, 'sealed');
  let writer: DayWriter | undefined;
  try {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { lane, ...others } = options;
    const writerOf = elsewhere && size >= elsewhere.fromBytes ? elsewhere.writer : writerHere;
    writer = writerOf(folder, { ...others, lane: lane.id, product: lane.product });
    const { write, room, finish } = writer;
    const ticks = new Ticks(options, write);
    const onRead = (share: number): Promise<void> => {
      onShare(share);
      return room();
    };
    if (isParquet(file)) await readParquet(file, map, ticks, onRead);
    else await readCsv(file, map, ticks, (bytes) => onRead(bytes / Math.max(size, 1)));
    ticks.flush();
    const { counts } = ticks;
    if (counts.quotes === 0) throw unreadable(file, `there is no row that could become a quote (${counts.rows} rows read)`);
    const { run, quotes } = await finish();
    await writer.close();
    const path = join(out, run);
    rmSync(path, { recursive: true, force: true });
    renameDurably(work, path);
    const bytes = quotes.reduce((sum, one) => sum + one.bytes, 0);
    const [from, to] = [isoTime(quotes[0]?.from ?? 0), isoTime(quotes.at(-1)?.to ?? 0)];
    return { run, path, lane: lane.id, from, to, bytes, ...counts };
  } catch (error) {
    await writer?.close();
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

/** By its content; a name that promises it must not lie, since its bytes would be read as lines of text. */
function isParquet(file: string): boolean {
  const is = firstBytes(file, 4).toString('latin1') === 'PAR1';
  if (!is && /\.(parquet|pq)$/i.test(file))
    throw unreadable(file, 'it is named as a Parquet file and is none: it does not begin with PAR1');
  return is;
}
