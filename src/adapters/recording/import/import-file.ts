import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { renameDurably } from '#adapters/recording/durable.ts';
import type { ImportCounts, ImportFacts, ImportGaps, ImportSpikes } from '#adapters/recording/manifest.ts';
import { overlaps, type Span } from '#adapters/recording/spans.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { BarGaps } from './bar-gaps.ts';
import { barSpikes } from './bar-spikes.ts';
import { type BarPath, Bars } from './bars.ts';
import { otherUnit } from './cells.ts';
import { unreadable } from './csv-head.ts';
import { type DayWriter, writerHere } from './import-writer.ts';
import { importsAt } from './imports.ts';
import { madeFolder } from './made-folder.ts';
import { openPrices, type Prices } from './prices.ts';
import { BAD_ROWS_TOLD, type ColumnMap, type LinesLeft, type PriceIs, type Row, type TakeRow } from './row.ts';
import type { TickQuotes } from './tick-day.ts';
import { type TickOptions, Ticks } from './ticks.ts';

export interface ImportOptions {
  readonly file: string;
  /** The bars of the other side, where `file` has those of the bid. */
  readonly askFile?: string | undefined;
  readonly map: ColumnMap;
  readonly ticks: TickOptions;
  /** Distance from bid to ask that is assumed where a file has one price a row, in hundredths of a percent. */
  readonly spreadBps?: number | undefined;
  /** Which one that price is; as the file's format has it unless said. */
  readonly priceIs?: PriceIs | undefined;
  readonly barPath?: BarPath;
  /** True where nobody said which fee quotes have: that of `ticks` is told as assumed. */
  readonly feeAssumed?: boolean;
  /** True where nobody said the size of the lane: it is told as assumed. */
  readonly sizeAssumed?: boolean;
  /** What becomes of it where an earlier import has prices of the lane of the same time: refused unless said. */
  readonly overlap?: 'fail' | 'keep';
  /** Folder of recordings that gets the new one. */
  readonly out: string;
  /** Told the share that is done, from 0 to 1. */
  readonly onShare?: (share: number) => void;
  /** What writes beside the reading, and the size of a file from which on it does. */
  readonly elsewhere?: { readonly writer: (folder: string, quotes: TickQuotes) => DayWriter; readonly fromBytes: number };
}

/** What an import wrote, and what it found in its files. */
export interface Imported extends ImportCounts {
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

const NOTHING_LEFT: LinesLeft = { bad: 0, badRows: [], unfinished: 0 };

/**
 * Makes a file of other people's prices into a sealed recording of one lane. Its name says product, begin and content, so
 * that importing the same again replaces it. Throws DATA_UNREADABLE with file and line, USAGE where something is to be said
 * about its prices, and leaves nothing behind.
 */
export async function importFile(options: ImportOptions): Promise<Imported> {
  const { file, askFile, map, out, onShare = () => {}, elsewhere } = options;
  const size = sizeOf(file);
  if (askFile !== undefined) sizeOf(askFile);
  const work = join(out, `.importing-${process.pid}`);
  const folder = join(work, 'sealed');
  const made = madeFolder(out);
  let writer: DayWriter | undefined;
  try {
    const prices = await openPrices(file, map);
    const asks = askFile === undefined ? undefined : await openPrices(askFile, map);
    if (asks && prices.layout.priceIs === 'ask') throw new KairosError('USAGE', `${file}: its prices are asks: take it as --ask-file`);
    if (asks?.layout.priceIs === 'bid') throw new KairosError('USAGE', `${askFile}: its prices are bids, and --ask-file has the asks`);
    rmSync(work, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { lane, ...others } = options.ticks;
    const writerOf = elsewhere && size >= elsewhere.fromBytes ? elsewhere.writer : writerHere;
    writer = writerOf(folder, { ...others, lane: lane.id, product: lane.product });
    const { write, room, finish } = writer;
    const onRead = (share: number): Promise<void> => {
      onShare(share);
      return room();
    };
    let highest = 0;
    const spikeEnds = new Set<Millis>();
    const ticks = new Ticks(options.ticks, (day) => {
      for (let row = 0; row < day.rows; row += 1)
        if (spikeEnds.size === 0 || !spikeEnds.has(day.time[row] ?? 0)) highest = Math.max(highest, day.ask[row] ?? 0);
      write(day);
    });
    const found = await filled(ticks, { ...options, prices, asks, onRead, onSpike: (end) => spikeEnds.add(end) });
    ticks.flush();
    const { counts, badRows } = found;
    throwIfNone(file, counts.rows, counts.quotes);
    const facts = factsOf(options, { ...found, highest }, prices);
    const { run, quotes } = await finish(facts);
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

/** Throws DATA_UNREADABLE where nothing came of the rows of a file. */
function throwIfNone(file: string, rows: number, taken: number): void {
  if (rows === 0) throw unreadable(file, 'it has a header and no rows');
  if (taken === 0) throw unreadable(file, `no row could become a quote (${rows} ${rows === 1 ? 'row' : 'rows'} read)`);
}

/** Throws USAGE where all times are such as another unit would give: prices have neither become known before 1973 nor after 5138. */
function throwIfOtherUnit({ file, map: { unit } }: ImportOptions, { from, to }: Pick<Span, 'from' | 'to'>): void {
  const other = otherUnit([from, to], unit);
  if (other === undefined) return;
  const what = `counted in ${unit} its times would be ${isoTime(from)} to ${isoTime(to)}, and in ${other.unit} from ${isoTime(other.from)} on`;
  throw new KairosError('USAGE', `${file}: ${what}; say --unit ${other.unit}, or leave --unit out`);
}

/** Throws USAGE where the folder has prices of the lane of the same time from another import, which would be played together. */
function throwIfDouble({ file, out, ticks: { lane } }: ImportOptions, { run, from, to }: Pick<Span, 'run' | 'from' | 'to'>): void {
  const other = importsAt(out).find((one) => one.run !== run && overlaps(one, { lane: lane.id, from, to }));
  if (!other) return;
  const span = `${isoTime(other.from)} to ${isoTime(other.to)}`;
  const what = `${join(out, other.run)} already has ${lane.id} from ${span}, and a backtest would play both`;
  throw new KairosError('USAGE', `${file}: ${what}; remove that folder, import into another with --out, or add --overlap keep`);
}

interface Filling extends Omit<ImportOptions, 'priceIs'> {
  readonly priceIs?: PriceIs | null | undefined;
  readonly prices: Prices;
  readonly asks: Prices | undefined;
  readonly onRead: (share: number) => Promise<void>;
  /** Told the end of each bar that is far from its neighbours, before its prices are taken. */
  readonly onSpike: (end: Millis) => void;
}

interface Found {
  readonly counts: ImportCounts;
  readonly badRows: readonly string[];
  readonly staleMs: Millis;
  /** Null for ticks. */
  readonly barMs: Millis | null;
  readonly priceIs: PriceIs | null;
  readonly gaps?: ImportGaps | null;
  readonly spikes?: ImportSpikes | null;
}

/** Reads everything there is into ticks, bars by way of their order. */
async function filled(ticks: Ticks, filling: Filling): Promise<Found> {
  const { file, askFile, prices, asks, onRead, spreadBps } = filling;
  const isSingle = prices.layout.bid === prices.layout.ask && askFile === undefined;
  if (isSingle && spreadBps === undefined) {
    const what = 'it has one price a row, without bid and ask; add --spread-bps, the spread to assume, such as 2';
    throw new KairosError('USAGE', `${file}: ${what}`);
  }
  const priceIs = isSingle ? (filling.priceIs ?? prices.priceIs) : null;
  const spread = priceIs === null || spreadBps === undefined ? () => {} : assumedSpread(spreadBps, priceIs);
  if (prices.layout.isBars || asks || filling.ticks.afterMs > 0) return barsFilled(ticks, { ...filling, spread, priceIs });
  const take: TakeRow = (row) => {
    spread(row);
    return ticks.add(row.at, row.bid, row.ask);
  };
  const { bad, badRows, unfinished } = await prices.read(take, onRead);
  const counts = { ...ticks.counts, rows: ticks.counts.rows + bad + unfinished, bad, unfinished, ...NO_BARS };
  return { counts, badRows, staleMs: ticks.staleMs, barMs: null, priceIs };
}

const NO_BARS = { replaced: 0, unpaired: 0 };

async function barsFilled(
  ticks: Ticks,
  filling: Filling & { readonly spread: (row: Row) => void; readonly priceIs: PriceIs | null },
): Promise<Found> {
  const { file, askFile, prices, asks, onRead, onSpike, spread, priceIs, barPath = 'close' } = filling;
  const { layout } = prices;
  if (barPath === 'worst' && (layout.low < 0 || layout.high < 0))
    throw new KairosError('USAGE', `${file}: --bar-path worst needs the range of each bar: name its columns with --low and --high`);
  const bars = new Bars();
  const left = await prices.read(bars.take, onRead);
  throwIfNone(file, bars.counts.rows + left.bad + left.unfinished, bars.counts.rows);
  bars.order();
  let leftOfAsks = NOTHING_LEFT;
  if (asks) {
    const other = new Bars();
    leftOfAsks = await asks.read(other.take, onRead);
    throwIfNone(askFile ?? file, other.counts.rows + leftOfAsks.bad + leftOfAsks.unfinished, other.counts.rows);
    other.order();
    bars.pair(other);
  }
  const barMs = filling.ticks.afterMs > 0 ? filling.ticks.afterMs : bars.widthMs;
  if (barMs === undefined || barMs <= 0)
    throw new KairosError('USAGE', `${askFile ?? file}: the width of its only bar is unknown; add --bar, in seconds`);
  const gaps = new BarGaps(barMs);
  const spikes = barSpikes(bars, (begin) => onSpike(begin + barMs));
  for (const row of bars) {
    gaps.see(row.at);
    spread(row);
    const end = row.at + barMs;
    const isRange = barPath === 'worst' && row.ask >= row.bid && (row.low < row.bid || row.high > row.ask);
    const fault = (isRange ? ticks.range(end, row.low, row.high) : undefined) ?? ticks.add(end, row.bid, row.ask);
    if (fault !== undefined) throw unreadable(`${file}: the bar of ${isoTime(row.at)}`, fault);
  }
  const { bad, unfinished } = left;
  const dropped = bad + unfinished + leftOfAsks.bad + leftOfAsks.unfinished;
  const { rows, ...found } = bars.counts;
  const counts = {
    ...ticks.counts,
    ...found,
    rows: rows + dropped,
    bad: bad + leftOfAsks.bad,
    unfinished: unfinished + leftOfAsks.unfinished,
  };
  const ofAsks = leftOfAsks.badRows.map((row) => `${basename(askFile ?? file)}: ${row}`);
  const badRows = [...left.badRows, ...ofAsks].slice(0, BAD_ROWS_TOLD);
  return {
    counts,
    badRows,
    staleMs: Math.max(USUAL_FRESHNESS.staleMs, 2 * barMs),
    barMs,
    priceIs,
    gaps: gaps.found,
    spikes,
  };
}

function factsOf(
  options: ImportOptions,
  { counts, staleMs, barMs, priceIs, gaps, spikes, highest }: Found & Pick<Imported, 'highest'>,
  { layout, times }: Prices,
): ImportFacts {
  const { file, askFile, ticks, barPath = 'close', spreadBps } = options;
  return {
    files: [file, ...(askFile === undefined ? [] : [askFile])].map((path) => basename(path)),
    format: layout.format,
    barMs,
    barPath: barMs === null ? null : barPath,
    times: times(),
    priceIs,
    spreadBps: priceIs === null ? null : (spreadBps ?? null),
    staleMs,
    validMs: ticks.validMs,
    feePct: ticks.feePercentage,
    ...(options.feeAssumed && { feeAssumed: true }),
    ...(options.sizeAssumed && { sizeAssumed: ticks.size }),
    ...(gaps && { gaps }),
    ...(spikes && { spikes: { ...spikes, highest } }),
    highest,
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

/** Makes bid and ask of rows that have one price alone, apart by a share of it that is assumed, in hundredths of a percent. */
function assumedSpread(bps: number, priceIs: PriceIs): (row: Row) => void {
  const share = bps / 10_000;
  const below = priceIs === 'bid' ? 1 : 1 - (priceIs === 'ask' ? share : share / 2);
  const above = priceIs === 'ask' ? 1 : 1 + (priceIs === 'bid' ? share : share / 2);
  return (row) => {
    row.bid = rounded(row.bid * below);
    row.low = rounded(row.low * below);
    row.ask = rounded(row.ask * above);
    row.high = rounded(row.high * above);
  };
}

/** Twelve digits count: what a product with a double leaves behind them is no price. */
const rounded = (price: number): number => Number(price.toPrecision(12));
