import { byTime, type ColumnNames, type ColumnsPart, copyColumns, filledColumns, windowOf } from '#domain/columns-memory.ts';
import { firstAt } from '#domain/first-where.ts';
import { currency, laneIdOf, type Millis, productCode } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { readableIn } from './catalog.ts';
import { columnsOf } from './log-columns.ts';
import { openRun, type RunPart } from './open-run.ts';
import { SealedRun } from './sealed-run.ts';
import type { LaneSpan } from './spans.ts';

/** Which recorded quotes are wanted; all without it. */
interface ColumnsFilter {
  /** Arrived at this time or later. */
  readonly from?: Millis;
  /** Arrived before this time. */
  readonly to?: Millis;
  /** False for quotes that are left out. */
  readonly keeps?: (quotes: { readonly run: string; readonly product: string }) => boolean;
  /** False for lanes that are only told of in `spans`: their quotes are not read. */
  readonly reads?: (lane: { readonly lane: string; readonly product: string }) => boolean;
}

interface ColumnsFound {
  readonly columns: readonly QuoteColumns[];
  /** Which time each recording has quotes of each lane. */
  readonly spans: readonly LaneSpan[];
  /** The same of what `keeps` leaves out. */
  readonly leftOut: readonly LaneSpan[];
}

/** One stretch of one lane, and when it begins. */
interface Stretch extends ColumnsPart {
  readonly names: ColumnNames;
  readonly run: string;
  readonly at: Millis;
  /** When it ends. */
  readonly until: Millis;
}

/**
 * The recorded quotes in a folder of recordings, or of one recording, as columns in memory that threads can share: one set
 * a lane, its runs and days one after the other, mixed by time where runs overlap. What is sealed is kept as raw columns beside it for the next
 * time. Copies and recordings of another format are left out and told of. Throws as `readableIn`.
 */
export function openColumns(dir: string, filter: ColumnsFilter = {}, tell: (line: string) => void = () => {}): ColumnsFound {
  const { logs, leftOut } = readableIn(dir);
  leftOut.forEach(tell);
  return columnsWithSpans(logs, filter);
}

/** The columns of recordings whose logs are, or were, at `paths`. */
export const columnsIn = (paths: readonly string[], filter: ColumnsFilter = {}): readonly QuoteColumns[] =>
  columnsWithSpans(paths, filter).columns;

/** As `openColumns`, of recordings whose logs are, or were, at `paths`. */
export function columnsWithSpans(paths: readonly string[], filter: ColumnsFilter = {}): ColumnsFound {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, keeps = () => true, reads = () => true } = filter;
  const lanes = new Map<string, Stretch[]>();
  const others: Stretch[] = [];
  for (const path of paths) {
    for (const stretch of stretchesOf(path, { from, to })) {
      const { lane, product, baseCcy, quoteCcy } = stretch.names;
      if (!keeps({ run: stretch.run, product })) {
        others.push(stretch);
        continue;
      }
      const key = JSON.stringify([lane, product, baseCcy, quoteCcy]);
      const same = lanes.get(key);
      if (same) same.push(stretch);
      else lanes.set(key, [stretch]);
    }
  }
  const columns = [...lanes.values()].flatMap((stretches) => {
    const [first, ...further] = stretches.sort((a, b) => a.at - b.at);
    if (!first || !reads(first.names)) return [];
    const filled = filledColumns(first.names, [first, ...further]);
    const whole = areMixed(stretches) ? byTime(filled) : filled;
    const part = windowOf(whole, firstAt(whole.at, from), firstAt(whole.at, to));
    return part.length === 0 ? [] : [part];
  });
  return { columns, spans: [...lanes.values()].flatMap(spansOf), leftOut: spansOf(others) };
}

/** True where one recording of a lane has quotes before another one ends. `stretches`: by their beginnings. */
const areMixed = (stretches: readonly Stretch[]): boolean =>
  stretches.some(({ run, at }, place) => stretches.slice(0, place).some((earlier) => earlier.run !== run && earlier.until > at));

/** From the first stretch of a lane in each recording to the last. */
function spansOf(stretches: readonly Stretch[]): readonly LaneSpan[] {
  return [...Map.groupBy(stretches, ({ run, names }) => `${run} ${names.lane}`).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { run, names } = first;
    return {
      run,
      lane: names.lane,
      product: names.product,
      from: Math.min(...own.map(({ at }) => at)),
      to: Math.max(...own.map(({ until }) => until)),
      quotes: own.reduce((sum, { rows }) => sum + rows, 0),
    };
  });
}

function stretchesOf(path: string, span: { readonly from: Millis; readonly to: Millis }): readonly Stretch[] {
  const recording = openRun(path);
  const { run } = recording.header;
  return recording.parts().flatMap((part) => stretchesIn(part, span).map((stretch) => ({ ...stretch, run })));
}

function stretchesIn(run: RunPart, { from, to }: { readonly from: Millis; readonly to: Millis }): readonly Omit<Stretch, 'run'>[] {
  if (!(run instanceof SealedRun)) {
    return columnsOf(run.items(), run.header.before).map((columns) => ({
      names: columns,
      at: columns.at[0] ?? 0,
      until: columns.at[columns.length - 1] ?? 0,
      rows: columns.length,
      fill: (target) => copyColumns(columns, target),
    }));
  }
  const { quotes, imported } = run.manifest;
  const barMs = imported?.barMs ?? undefined;
  return quotes
    .filter((file) => file.to >= from && file.from < to)
    .map((file) => ({
      names: {
        lane: laneIdOf(file.lane),
        product: productCode(file.product),
        baseCcy: currency(file.baseCcy),
        quoteCcy: currency(file.quoteCcy),
        ...(barMs !== undefined && { barMs }),
      },
      at: file.from,
      until: file.to,
      rows: file.rows,
      fill: (target) => run.fill(file, target),
    }));
}
