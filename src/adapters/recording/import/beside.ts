import { type LaneRecording, lanesIn, readableIn } from '#adapters/recording/catalog.ts';
import { IMPORTED } from '#adapters/recording/manifest.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { overlaps, type RecordedSpan } from '#adapters/recording/spans.ts';
import { durationText } from '#domain/duration-text.ts';
import { isLentLane } from '#domain/lane.ts';
import { isoTime, type Millis } from '#domain/names.ts';

/** Quotes of the same product in the folder of an import. */
interface Beside {
  /** Of a service, by runs and `kairos record`: backtests play the imported ones instead. */
  readonly recorded: readonly LaneRecording[];
  /** Of other imports: backtests play the lane that is nearest to an amount. */
  readonly imported: readonly LaneRecording[];
}

/** What else a folder of recordings has of the product of an import. Throws RECORDING_UNREADABLE. */
export function besideImport(dir: string, { run, product }: { readonly run: string; readonly product: string }): Beside {
  const logs = readableIn(dir).logs.map((log) => ({ log, ...openRun(log).header }));
  const lanesOf = (isWanted: (book: string) => boolean): readonly LaneRecording[] =>
    logs
      .filter((one) => one.run !== run && isWanted(one.book))
      .flatMap(({ log }) => lanesIn(log))
      .filter((one) => one.product === product && !isLentLane(one.lane));
  return { recorded: lanesOf((book) => book !== IMPORTED), imported: lanesOf((book) => book === IMPORTED) };
}

/** An import, as far as it says what others of its product are to it. */
interface Own extends Omit<RecordedSpan<string>, 'run'> {
  readonly out: string;
  readonly path: string;
  readonly product: string;
  /** Width of its bars, which end at their times; 0 for ticks. */
  readonly barMs: Millis;
  /** A longer time between two imports of the lane is told. */
  readonly silentMs: Millis;
}

/**
 * What else the folder has of the product. `told`: other times of the lane itself, which a backtest plays one after the other. `warned`: what it
 * would mix or leave out, and how to keep that apart.
 */
export function besideLines(
  { recorded, imported }: Beside,
  own: Own,
): { readonly told: readonly string[]; readonly warned: readonly string[] } {
  const { out, path, product } = own;
  const apart = `to keep them apart, remove ${path} and import with --out FOLDER`;
  const same = imported.filter(({ lane }) => lane === own.lane);
  const [later, doubled] = [same.filter((one) => !overlaps(one, own)), same.filter((one) => overlaps(one, own))];
  const others = imported.filter(({ lane }) => lane !== own.lane);
  const warnings = [
    {
      lanes: recorded,
      what: `that were recorded: a backtest of that folder plays ${product} as imported, and leaves the recorded quotes out`,
    },
    { lanes: doubled, what: 'of the same time of other imports: a backtest of that folder plays both' },
    { lanes: others, what: "of other imports: a backtest of that folder plays the lane that is nearest to a strategy's amount" },
  ];
  return {
    told: later.length === 0 ? [] : [seriesLine([own, ...same], own)],
    warned: warnings.flatMap(({ lanes, what }) => (lanes.length === 0 ? [] : [`${out} also has ${quotesOf(lanes)} ${what}; ${apart}`])),
  };
}

function quotesOf(lanes: readonly LaneRecording[]): string {
  const quotes = lanes.reduce((sum, one) => sum + one.quotes, 0);
  const names = [...new Set(lanes.map(({ lane }) => lane))];
  return `${quotes} ${quotes === 1 ? 'quote' : 'quotes'} of ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''}`;
}

/** From when to when a folder has a lane, and the longest time between two imports of it. */
function seriesLine(spans: readonly Omit<RecordedSpan<string>, 'run'>[], { out, lane, barMs, silentMs }: Own): string {
  const times = spans.map(({ from, to }) => ({ from: Date.parse(from) - barMs, to: Date.parse(to) })).sort((a, b) => a.from - b.from);
  let end = times[0]?.to ?? 0;
  let longest = { fromAt: 0, ms: silentMs };
  for (const { from, to } of times) {
    if (from - end > longest.ms) longest = { fromAt: end, ms: from - end };
    end = Math.max(end, to);
  }
  const hole = longest.ms > silentMs ? `, with none of it for ${durationText(longest.ms)} from ${isoTime(longest.fromAt)}` : '';
  return `${out} now has ${lane} from ${isoTime((times[0]?.from ?? 0) + barMs)} to ${isoTime(end)} in ${spans.length} imports${hole}`;
}
