import { runSpans } from '#adapters/journal/booked.ts';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { reportCurrency, runEquity } from '#report/valued.ts';
import type { EquityHistory } from '#server/page/history-view.ts';
import { LanelessQuotes } from './laneless-quotes.ts';
import type { PastTrades } from './past-trades.ts';
import { ratedMoney, runMoney } from './run-money.ts';
import { FRESH_MS, type RunQuotes, SELDOM } from './run-quotes.ts';

/** Of a run among others: an equity drawdown is of one run alone. */
type Points = readonly Omit<EquityHistory['points'][number], 'drawdownPct'>[];

/** How many points of a past run are kept, how many of the newest past runs are read, and how many points of them are told in all. */
const PAST_POINTS = 300;
const MAX_RUNS = 200;
const TOLD_POINTS = 6_000;
/** A larger recording is not read for the first answer, which a page waits for; such a one takes a sixth of a second. */
const AT_ONCE_BYTES = 5_000_000;

interface EquityOptions {
  readonly journal: JournalReader;
  readonly trades: PastTrades;
  readonly quotes: RunQuotes;
  readonly monotonicMs: () => Millis;
}

/** Equity of runs as the page's bar has the present one, valued on their recordings at the rates of each time: the present one each time, those that are over once. */
export class EquityReader {
  private readonly journal: JournalReader;
  private readonly quotes: RunQuotes;
  private readonly trades: PastTrades;
  private readonly laneless: LanelessQuotes;
  private readonly monotonicMs: () => Millis;
  private hasAnswered = false;
  private last: { readonly equity: EquityHistory; readonly untilMs: Millis } | undefined;
  /** Points of runs that are over, in a currency. */
  private over: { readonly currency: string; readonly points: Map<string, Points> } = { currency: '', points: new Map() };

  constructor({ journal, trades, quotes, monotonicMs }: EquityOptions) {
    this.monotonicMs = monotonicMs;
    this.trades = trades;
    this.journal = journal;
    this.quotes = quotes;
    this.laneless = new LanelessQuotes(trades, quotes);
  }

  /**
   * Of one run, or of all: then each answer reads one more of those that are over, from the newest back. The first answer has what is kept
   * beside the journal and what is read at once; long recordings are read for the next one.
   */
  read(name: string): EquityHistory {
    if (name === 'last' || name === this.journal.lastRun()?.run_id) return this.present();
    if (name !== 'all') return this.ofRun(name);
    const runs = this.journal.named(runSpans).slice(-MAX_RUNS);
    const may = (run: string | undefined): boolean => this.hasAnswered || run === undefined || this.quotes.bytesOf(run) <= AT_ONCE_BYTES;
    const isLater = !may(runs.at(-1)?.run_id);
    const present = isLater ? this.withoutPresent(runs.at(-1)?.run_id ?? '') : this.present();
    const before = runs.filter(({ run_id }) => run_id !== present.run).reverse();
    const over = this.kept(present.currency);
    const missing = before.filter(({ run_id }) => !over.has(run_id));
    const [next] = missing;
    const reads = next !== undefined && !isLater && may(next.run_id);
    if (reads) this.keep(next.run_id, present.currency);
    this.hasAnswered = true;
    const each = Math.max(1, Math.floor(TOLD_POINTS / before.length));
    const past = before.reverse().map(({ run_id }) => ({ run: run_id, points: thinned(over.get(run_id) ?? [], each) }));
    const shown = [...past, present].filter(({ points }) => points.length > 0);
    const whole = !isLater && missing.length <= (reads ? 1 : 0);
    return {
      ...present,
      why: shown.length > 0 || !whole ? null : present.why,
      runs: shown.map(({ run, points }) => ({ run, at: points[0]?.at ?? 0 })),
      whole,
      points: shown.flatMap(({ points }) => points.map(({ at, equity, low, high }) => ({ at, equity, low, high }))),
    };
  }

  /** What is known of runs that are over: what the last start knew as well. */
  private kept(currency: string): Map<string, Points> {
    if (this.over.currency === currency) return this.over.points;
    const points = new Map([...this.trades.found.courses(currency)].map(([run, text]) => [run, JSON.parse(text) as Points]));
    this.over = { currency, points };
    return points;
  }

  private keep(run: string, currency: string): void {
    const points = this.pastPoints(run, currency);
    this.over.points.set(run, points);
    this.trades.found.keepCourse(run, currency, JSON.stringify(points));
  }

  /** The current run, kept for a while without its quotes, so that twenty pages cost as much as one. */
  private present(): EquityHistory {
    const run = this.journal.lastRun()?.run_id;
    const now = this.monotonicMs();
    if (this.last && this.last.equity.run === run && now < this.last.untilMs) return this.last.equity;
    const equity = this.ofRun('last');
    const readMs = this.monotonicMs();
    this.last = { equity, untilMs: readMs + Math.max(FRESH_MS, (readMs - now) * SELDOM) };
    return equity;
  }

  /** What can be said before the present run is read. */
  private withoutPresent(run: string): EquityHistory {
    return {
      run,
      currency: this.trades.readOn().found.currencyOfCourses() ?? '',
      why: null,
      joined: 0,
      runs: [],
      whole: false,
      points: [],
    };
  }

  private ofRun(name: string): EquityHistory {
    const record = runMoney(this.trades, name);
    const columns = this.quotes.of(record.run);
    const now = columns.reduce((last, { at, length }) => Math.max(last, at[length - 1] ?? 0), record.endedAt);
    const { currency } = reportCurrency(record, columns);
    const money = { ...ratedMoney(record, columns, currency), endedAt: now };
    const equity = runEquity(money, [...columns, ...this.laneless.of(money, columns)], { currency, ofAccount: true });
    if (typeof equity === 'string') return { run: record.run, currency, why: equity, joined: 0, runs: [], whole: true, points: [] };
    const falls = new Map(equity.fallChart.map(({ at, high }) => [at, high]));
    const points = equity.chart.map(({ at, low, high, last }) => ({
      at,
      equity: last,
      low,
      high,
      drawdownPct: (falls.get(at) ?? 0) * 100,
    }));
    return {
      run: record.run,
      currency,
      why: null,
      joined: equity.joined,
      runs: [{ run: record.run, at: points[0]?.at ?? record.startedAt }],
      whole: true,
      points,
    };
  }

  /** Empty if the run cannot be valued in that currency, or if its decisions are in an archive. */
  private pastPoints(run: string, currency: string): Points {
    try {
      const found = this.ofRun(run);
      return found.currency === currency ? thinned(found.points, PAST_POINTS) : [];
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      return [];
    }
  }
}

/** Merges neighbouring stretches into fewer, longer ones. */
function thinned(points: Points, most: number): Points {
  const size = Math.ceil(points.length / most);
  if (size <= 1) return points;
  return Array.from({ length: Math.ceil(points.length / size) }, (_, n) => {
    const part = points.slice(n * size, (n + 1) * size);
    const last = part.at(-1);
    return {
      at: last?.at ?? 0,
      equity: last?.equity ?? 0,
      low: Math.min(...part.map(({ low }) => low)),
      high: Math.max(...part.map(({ high }) => high)),
    };
  });
}
