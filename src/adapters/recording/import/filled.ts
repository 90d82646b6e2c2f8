import { basename } from 'node:path';
import type {
  ImportCounts,
  ImportGaps,
  ImportNarrow,
  ImportRepeatedHours,
  ImportSpikes,
  ImportSpread,
} from '#adapters/recording/manifest.ts';
import { KairosError } from '#domain/errors.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { momentAsked, rangeAsked, spreadAsked, widthAsked } from './asked.ts';
import { BarGaps } from './bar-gaps.ts';
import { barSpikes } from './bar-spikes.ts';
import { narrowIn, stretchesIn, widthIn } from './bar-width.ts';
import { type BarPath, type BarStamp, BarTable } from './bars.ts';
import { unreadable } from './csv-head.ts';
import { formatIn } from './formats.ts';
import type { Prices } from './prices.ts';
import { BAD_ROWS_TOLD, type LinesLeft, type PriceIs, type PriceRow, type TakeRow } from './row.ts';
import { SpreadStatistics } from './spread.ts';
import type { TickOptions, Ticks } from './ticks.ts';

/** The files of an import, and what their rows are made into. */
export interface Filling {
  readonly file: string;
  readonly askFile?: string | undefined;
  readonly ticks: TickOptions;
  readonly spreadBps?: number | undefined;
  readonly barPath?: BarPath;
  readonly stamp?: BarStamp | undefined;
  readonly prices: Prices;
  readonly asks: Prices | undefined;
  /** What has to be said apart from what the file leaves open. */
  readonly asked?: readonly string[] | undefined;
  readonly onRead: (share: number) => Promise<void>;
  /** Told the end of each bar that is far from its neighbours, before its prices are taken. */
  readonly onSpike: (end: Millis) => void;
}

/** What was found in the files of an import. */
export interface ImportFindings {
  readonly counts: ImportCounts;
  readonly badRows: readonly string[];
  readonly staleMs: Millis;
  /** Null for ticks. */
  readonly barMs: Millis | null;
  readonly stamp?: BarStamp;
  readonly priceIs: PriceIs | null;
  readonly gaps?: ImportGaps | null;
  readonly narrow?: ImportNarrow | undefined;
  readonly spikes?: ImportSpikes | null;
  readonly repeatedHours: ImportRepeatedHours | null;
  /** Of a file that has spreads. */
  readonly spread: Omit<ImportSpread, 'column' | 'point'> | undefined;
}

/** Reads everything there is into ticks, bars by way of their order. Throws DATA_UNREADABLE, LateRow, and USAGE where something is to be said. */
export async function filled(ticks: Ticks, filling: Filling): Promise<ImportFindings> {
  const { file, askFile, prices, asks, onRead, spreadBps } = filling;
  const isSingle = prices.layout.bid === prices.layout.ask && askFile === undefined;
  const isOfFile = prices.layout.spreads >= 0;
  if (isOfFile && !isSingle) throw new KairosError('USAGE', `${file}: bid and ask have their own prices: leave out --spread and --point`);
  if (!isSingle && spreadBps !== undefined)
    throw new KairosError('USAGE', `${file}: bid and ask have their own prices: leave out --spread-bps`);
  const { layout } = prices;
  const isWidthSaid = filling.ticks.afterMs > 0;
  const areBars = layout.isBars || asks !== undefined || isWidthSaid;
  const asked = [
    ...(filling.asked ?? []),
    ...(layout.isBesideBars && !isWidthSaid ? [momentAsked(layout)] : []),
    ...(isSingle && !isOfFile && spreadBps === undefined ? [spreadAsked(prices)] : []),
    ...(areBars && filling.barPath === 'worst' && (layout.low < 0 || layout.high < 0) ? [rangeAsked(layout)] : []),
  ];
  // Only the rows of bars leave more open.
  if (asked.length > 0 && (!areBars || isWidthSaid)) throw askedError(file, asked);
  const spreads = isOfFile ? new SpreadStatistics() : undefined;
  const priceIs = isSingle ? prices.priceIs : null;
  const spread = priceIs === null || spreadBps === undefined ? () => {} : assumedSpread(spreadBps, priceIs);
  if (areBars) return barsFilled(ticks, { ...filling, asked, spread, spreads, priceIs });
  const take: TakeRow = (row) => {
    spread(row);
    spreads?.add(row.bid, row.ask);
    return ticks.add(row.at, row.bid, row.ask);
  };
  const { bad, badRows, unfinished, repeatedHours } = await prices.read(take, onRead);
  ticks.flush();
  const counts = { ...ticks.counts, rows: ticks.counts.rows + bad + unfinished, bad, unfinished, ...NO_BARS };
  return { counts, badRows, staleMs: ticks.staleMs, barMs: null, priceIs, repeatedHours, spread: spreads?.figures };
}

/** All that has to be said, in one line. */
const askedError = (file: string, asked: readonly string[]): KairosError => new KairosError('USAGE', `${file}: ${asked.join('; also ')}`);

const NO_BARS = { replaced: 0, unpaired: 0 };

async function barsFilled(
  ticks: Ticks,
  filling: Filling & {
    readonly asked: readonly string[];
    readonly spread: (row: PriceRow) => void;
    readonly spreads: SpreadStatistics | undefined;
    readonly priceIs: PriceIs | null;
  },
): Promise<ImportFindings> {
  const { file, askFile, prices, asks, asked, onRead, onSpike, spread, spreads, priceIs, barPath = 'close' } = filling;
  const bars = new BarTable();
  const left = await prices.read(bars.take, onRead);
  throwIfNone(file, bars.counts.rows + left.bad + left.unfinished, bars.counts.rows);
  bars.order();
  let leftOfAsks = NOTHING_LEFT;
  if (asks) {
    const other = new BarTable();
    leftOfAsks = await asks.read(other.take, onRead);
    throwIfNone(askFile ?? file, other.counts.rows + leftOfAsks.bad + leftOfAsks.unfinished, other.counts.rows);
    other.order();
    bars.pair(other);
  }
  const apart = bars.gaps;
  const said = filling.ticks.afterMs > 0 ? filling.ticks.afterMs : undefined;
  const barMs = said ?? widthIn(apart);
  const stamp = filling.stamp ?? formatIn(prices.layout).stamp ?? 'begin';
  if (barMs === undefined) throw askedError(file, [...asked, widthAsked(apart, stamp)]);
  if (asked.length > 0) throw askedError(file, asked);
  if (stamp === 'end') bars.beginBefore(barMs);
  else if (barMs % 60_000 === 0 && bars.areEndsLikely)
    throw new KairosError(
      'USAGE',
      `${file}: times end with the last second of a minute, as those of ends: add --stamp end, or name begins with --time`,
    );
  const gaps = new BarGaps(barMs);
  const far = new Set<Millis>();
  const spikes = barSpikes(bars, (begin) => far.add(begin));
  for (const [row, end] of bars.withEnds(barMs, stamp)) {
    if (far.has(row.at)) onSpike(end);
    gaps.see(row.at);
    spread(row);
    spreads?.add(row.bid, row.ask);
    const isRange = barPath === 'worst' && row.ask >= row.bid && (row.low < row.bid || row.high > row.ask);
    const fault = (isRange ? ticks.range(end, row.low, row.high) : undefined) ?? ticks.add(end, row.bid, row.ask);
    if (fault !== undefined) throw unreadable(`${file}: the bar of ${isoTime(row.at)}`, fault);
  }
  ticks.flush();
  const { bad, unfinished } = left;
  const dropped = bad + unfinished + leftOfAsks.bad + leftOfAsks.unfinished;
  const { rows, ...found } = bars.counts;
  const counts = {
    ...ticks.counts,
    ...found,
    // Of its range and its last prices, since each bar has a time of its own.
    equalTime: 0,
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
    stamp,
    priceIs,
    gaps: gaps.found,
    narrow: stamp === 'end' ? undefined : (narrowIn(apart, said) ?? stretchesIn(apart, bars.apartFrom(barMs), barMs)),
    spikes,
    spread: spreads?.figures,
    repeatedHours: hoursOfBoth(left.repeatedHours, leftOfAsks.repeatedHours),
  };
}

/** Both files of an import mostly have the same hours. */
function hoursOfBoth(bids: ImportRepeatedHours | null, asks: ImportRepeatedHours | null): ImportRepeatedHours | null {
  if (!bids || !asks) return bids ?? asks;
  return { ...bids, rows: bids.rows + asks.rows, changes: Math.max(bids.changes, asks.changes) };
}

const NOTHING_LEFT: LinesLeft = { bad: 0, badRows: [], unfinished: 0, repeatedHours: null };

/** Throws DATA_UNREADABLE where nothing came of the rows of a file. */
export function throwIfNone(file: string, rows: number, taken: number, crossed = 0): void {
  if (rows === 0) throw unreadable(file, 'it has a header and no rows');
  if (taken > 0) return;
  const why = crossed > 0 ? `; ${crossed} have the ask below the bid: --bid and --ask name their columns, --crossed keep takes them` : '';
  throw unreadable(file, `no row could become a quote (${rows} ${rows === 1 ? 'row' : 'rows'} read)${why}`);
}

/** Makes bid and ask of rows that have one price alone, apart by a share of it that is assumed, in hundredths of a percent. */
function assumedSpread(bps: number, priceIs: PriceIs): (row: PriceRow) => void {
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
