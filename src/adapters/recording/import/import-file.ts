import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { renameDurably } from '#adapters/recording/durable.ts';
import type { ImportCounts, ImportFacts } from '#adapters/recording/manifest.ts';
import { overlaps, type RecordedSpan } from '#adapters/recording/spans.ts';
import { removeLeft } from '#adapters/recording/writing-mark.ts';
import { decimalOf } from '#domain/decimal.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import type { BarPath, BarStamp } from './bars.ts';
import { otherUnit } from './cells.ts';
import { unreadable } from './csv-head.ts';
import { type ImportFindings, throwIfNone } from './filled.ts';
import { gathered } from './gathered.ts';
import { type DayWriter, writerHere } from './import-writer.ts';
import { importsAt } from './imports.ts';
import { madeFolder } from './made-folder.ts';
import { openPrices, type Prices } from './prices.ts';
import type { ColumnMap } from './row.ts';
import type { TickQuotes } from './tick-day.ts';
import type { TickOptions } from './ticks.ts';

export interface ImportOptions {
  readonly file: string;
  /** The bars of the other side, where `file` has those of the bid. */
  readonly askFile?: string | undefined;
  readonly map: ColumnMap;
  readonly ticks: TickOptions;
  /** Distance from bid to ask that is assumed where a file has one price a row, in hundredths of a percent. */
  readonly spreadBps?: number | undefined;
  readonly barPath?: BarPath;
  /** What the time of a bar is; as the file's format has it, and begins, unless said. */
  readonly stamp?: BarStamp | undefined;
  /** True where nobody said which fee quotes have: that of `ticks` is told as assumed. */
  readonly feeAssumed?: boolean;
  /** True where nobody said the size of the lane: it is told as assumed. */
  readonly sizeAssumed?: boolean;
  /** What becomes of it where an earlier import has prices of the lane of the same time: refused unless said. */
  readonly overlap?: 'fail' | 'keep';
  /** What has to be said whatever the file is: the refusal has it beside what the file leaves open. */
  readonly asked?: readonly string[] | undefined;
  /** Folder of recordings that gets the new one. */
  readonly out: string;
  /** Told the share that is done, from 0 to 1. */
  readonly onShare?: (share: number) => void;
  /** What writes beside the reading, and the size of a file from which on it does. */
  readonly elsewhere?: { readonly writer: (folder: string, quotes: TickQuotes) => DayWriter; readonly fromBytes: number };
}

/** What an import wrote, and what it found in its files. */
export interface ImportResult extends ImportCounts {
  readonly run: string;
  readonly path: string;
  readonly lane: string;
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  /** The highest ask, in quote currency, apart from bars that are told as far from their neighbours. */
  readonly highest: number;
  readonly facts: ImportFacts;
  /** What was wrong with the first rows that were dropped because they could not be read, up to ten. */
  readonly badRows: readonly string[];
  /** The first of them. */
  readonly firstBad: string | null;
}

/**
 * Makes a file of other people's prices into a sealed recording of one lane. Its name says product, begin and content, so
 * that importing the same again replaces it. Throws DATA_UNREADABLE with file and line, USAGE where something is to be said
 * about its prices, and leaves nothing behind.
 */
export async function importFile(options: ImportOptions): Promise<ImportResult> {
  const { file, askFile, out, onShare = () => {}, elsewhere } = options;
  throwIfTwoSpreads(options);
  const size = sizeOf(file);
  if (askFile !== undefined) sizeOf(askFile);
  const work = join(out, WORK);
  const folder = join(work, 'sealed');
  const made = madeFolder(out);
  let writer: DayWriter | undefined;
  try {
    const { prices, asks } = await pricesOf(options);
    clearImports(out);
    const { lane, ...others } = options.ticks;
    const writerOf = elsewhere && size >= elsewhere.fromBytes ? elsewhere.writer : writerHere;
    const openWriter = () => writerOf(folder, { ...others, lane: lane.id, product: lane.product });
    const gotten = await gathered({ filling: { ...options, prices, asks }, folder, openWriter, onShare });
    const { found } = gotten;
    writer = gotten.writer;
    const { counts, badRows, highest } = found;
    throwIfNone(file, counts.rows, counts.quotes, counts.crossed);
    // Dates without a time of day are of one bar each, and of one tick.
    const alike = (counts.replaced ?? 0) + (prices.isDated() ? counts.equalTime : 0);
    if (2 * alike > counts.rows)
      throw unreadable(file, `${alike} of ${counts.rows} rows have the time of another row: name the column of times with --time`);
    throwIfFarApart(options, found, prices);
    const facts = factsOf(options, found, prices);
    const { run, quotes } = await writer.finish(facts);
    await writer.close();
    throwIfOtherUnit(options, { from: quotes[0]?.from ?? 0, to: quotes.at(-1)?.to ?? 0 });
    const path = join(out, run);
    if (options.overlap !== 'keep') throwIfDouble(options, { run, from: quotes[0]?.from ?? 0, to: quotes.at(-1)?.to ?? 0 });
    rmSync(path, { recursive: true, force: true });
    renameDurably(work, path);
    const bytes = quotes.reduce((sum, one) => sum + one.bytes, 0);
    const [from, to] = [isoTime(quotes[0]?.from ?? 0), isoTime(quotes.at(-1)?.to ?? 0)];
    return { run, path, lane: lane.id, from, to, bytes, highest, ...counts, facts, badRows, firstBad: badRows[0] ?? null };
  } catch (error) {
    await writer?.close();
    rmSync(work, { recursive: true, force: true });
    made.undo();
    if (error instanceof KairosError) throw error;
    throw unreadable(file, messageOf(error), error);
  }
}

/** Opens the prices of one file or two. Throws USAGE where an option does not fit their columns. */
async function pricesOf({ file, askFile, map }: ImportOptions): Promise<{ readonly prices: Prices; readonly asks: Prices | undefined }> {
  const refuse = (what: string): never => {
    throw new KairosError('USAGE', what);
  };
  const prices = await openPrices(file, map);
  const { layout } = prices;
  if (map.point !== undefined && layout.spreads < 0)
    refuse(`${file}: it has no column of spreads that is known: name with --spread the one that --point is of`);
  if (map.priceIs !== undefined && layout.bid !== layout.ask)
    refuse(`${file}: it has both bid and ask: leave out --price-is, which is of a lone price`);
  const asks = askFile === undefined ? undefined : await openPrices(askFile, map);
  if (asks && layout.priceIs === 'ask') refuse(`${file}: its prices are asks: take it as --ask-file`);
  if (asks?.layout.priceIs === 'bid') refuse(`${askFile}: its prices are bids, and --ask-file has the asks`);
  return { prices, asks };
}

/** Removes what an import of this process has begun in a folder of recordings, and what those of dead ones have left. */
export function clearImports(out: string): void {
  if (existsSync(out)) removeLeft(out, { own: WORK, named: /^\.importing-(\d+)$/ });
}

/** Where an import writes until it is whole. */
const WORK = `.importing-${process.pid}`;

/** Throws USAGE where a spread is assumed for a file whose own one is named. */
function throwIfTwoSpreads({ file, map: { spread, point }, spreadBps }: ImportOptions): void {
  if (spreadBps === undefined || (spread === undefined && point === undefined)) return;
  const option = spread === undefined ? '--point' : '--spread';
  throw new KairosError(
    'USAGE',
    `${file}: ${option} takes the spread of the file, and --spread-bps assumes another: leave out one of them`,
  );
}

/** Throws USAGE where bid and ask of most rows would be so far apart that the spreads of the file are in another unit. */
function throwIfFarApart({ file }: ImportOptions, { spread }: ImportFindings, { layout }: Prices): void {
  if (spread === undefined || spread.medianBps <= FAR_APART_BPS) return;
  const what = `by column '${layout.titles[layout.spreads]}' the median of spreads would be ${spread.medianBps} bps`;
  throw new KairosError('USAGE', `${file}: ${what}: say with --point what one unit of it is worth in price, such as 0.00001`);
}

/** The largest spread that can be assumed. */
const FAR_APART_BPS = 5000;

/** Throws USAGE where all times are such as another unit would give: prices have become known after 1973. */
function throwIfOtherUnit({ file, map: { unit } }: ImportOptions, { from, to }: Pick<RecordedSpan, 'from' | 'to'>): void {
  const other = otherUnit([from, to], unit);
  if (other === undefined) return;
  const what = `counted in ${unit} its times would be from ${isoTime(from)} on, and in ${other.unit} from ${isoTime(other.from)} on`;
  throw new KairosError('USAGE', `${file}: ${what}; say --unit ${other.unit}, or leave --unit out`);
}

/** Throws USAGE where the folder has prices of the lane of the same time from another import, which would be played together. */
function throwIfDouble({ file, out, ticks: { lane } }: ImportOptions, { run, from, to }: Pick<RecordedSpan, 'run' | 'from' | 'to'>): void {
  const other = importsAt(out).find((one) => one.run !== run && overlaps(one, { lane: lane.id, from, to }));
  if (!other) return;
  const span = `${isoTime(other.from)} to ${isoTime(other.to)}`;
  const what = `${join(out, other.run)} already has ${lane.id} from ${span}, and a backtest would play both`;
  throw new KairosError('USAGE', `${file}: ${what}; remove that folder, import into another with --out, or add --overlap keep`);
}

function factsOf(
  options: ImportOptions,
  {
    counts,
    staleMs,
    barMs,
    stamp,
    priceIs,
    gaps,
    narrow,
    spikes,
    repeatedHours,
    spread,
    highest,
  }: ImportFindings & Pick<ImportResult, 'highest'>,
  { layout, times }: Prices,
): ImportFacts {
  const { file, askFile, map, ticks, barPath = 'close', spreadBps } = options;
  const sizes = layout.titles.filter((title) => /^(bid|ask|buy|sell)[ _]?(size|qty|quantity|volume|vol|amount)s?$/i.test(title));
  return {
    files: [file, ...(askFile === undefined ? [] : [askFile])].map((path) => basename(path)),
    format: layout.format,
    barMs,
    barPath: barMs === null ? null : barPath,
    ...(stamp === 'end' && { stamp }),
    times: times(),
    priceIs,
    spreadBps: priceIs === null ? null : (spreadBps ?? null),
    ...(spread && { spread: { column: layout.titles[layout.spreads] ?? '', point: (map.point ?? decimalOf(1)).toString(), ...spread } }),
    staleMs,
    validMs: ticks.validMs,
    feePct: ticks.feePercentage,
    ...(options.feeAssumed && { feeAssumed: true }),
    ...(options.sizeAssumed && { sizeAssumed: ticks.size }),
    ...(repeatedHours && { repeatedHours }),
    ...(gaps && { gaps }),
    ...(narrow && { narrow }),
    ...(spikes && { spikes: { ...spikes, highest } }),
    highest,
    ...(sizes.length > 0 && { sizes }),
    crossedRows: ticks.crossed,
    counts,
  };
}

function sizeOf(file: string): number {
  if (!existsSync(file)) throw unreadable(file, 'there is no such file');
  const stat = statSync(file);
  if (!stat.isFile()) throw unreadable(file, 'it is not a file');
  return stat.size;
}
