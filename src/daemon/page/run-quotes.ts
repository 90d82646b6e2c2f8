import type { RunSpan } from '#adapters/journal/booked.ts';
import { columnsIn } from '#adapters/recording/open-columns.ts';
import { isRecorded, logBytes } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';

/** How long data of the current run counts as fresh, in milliseconds: the page adds what it receives itself. */
export const FRESH_MS = 15_000;
/** Slow reads are cached for this multiple of their duration, so that reading takes at most a twentieth of the time. */
export const SELDOM = 20;

/** Which quotes of a run are wanted: of one product, and of a time; all without it. */
interface RunFilter {
  readonly product?: string;
  readonly from?: Millis;
  readonly to?: Millis;
}

/** Quotes of a product in the last run, from a time on. */
interface ChartQuotes {
  readonly run: string;
  readonly from: Millis;
  readonly untilMs: Millis;
  readonly columns: readonly QuoteColumns[];
}

/** Recorded quotes of runs. What charts show of the run that goes on, whose log must be read whole each time, is kept for a while. */
export class RunQuotes {
  private readonly dir: string;
  private readonly monotonicMs: () => Millis;
  private readonly kept = new Map<string, ChartQuotes>();

  constructor(dir: string, monotonicMs: () => Millis) {
    this.dir = dir;
    this.monotonicMs = monotonicMs;
  }

  /** Size of a run's recording in bytes; 0 where there is none, or it cannot be read. */
  bytesOf(run: string): number {
    try {
      return logBytes(logPath(this.dir, run));
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      return 0;
    }
  }

  /** Of one run; none where it was not recorded, or in another format. */
  of(run: string, { product, ...time }: RunFilter = {}): readonly QuoteColumns[] {
    const log = logPath(this.dir, run);
    try {
      return isRecorded(log) ? columnsIn([log], { ...time, reads: (lane) => product === undefined || lane.product === product }) : [];
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      return [];
    }
  }

  /** Quotes of a product from the first time to before the second, run after run, the current or last run included. */
  *between(runs: readonly RunSpan[], wanted: { readonly product: string; readonly from: Millis; readonly to: Millis }) {
    const { product, from, to } = wanted;
    for (const [index, { run_id, started_at, ended_at }] of runs.entries()) {
      const next = runs[index + 1]?.started_at;
      const end = ended_at ?? next;
      if (Date.parse(started_at) >= to || (end !== undefined && Date.parse(end) < from)) continue;
      yield next === undefined ? this.ofLast(run_id, product, from) : this.of(run_id, { from, to, product });
    }
  }

  private ofLast(run: string, product: string, from: Millis): readonly QuoteColumns[] {
    const now = this.monotonicMs();
    for (const [of, { untilMs }] of this.kept) if (now >= untilMs) this.kept.delete(of);
    const kept = this.kept.get(product);
    if (kept?.run === run && kept.from <= from) return kept.columns;
    const columns = this.of(run, { from, product });
    const readMs = this.monotonicMs();
    this.kept.set(product, { run, from, untilMs: readMs + Math.max(FRESH_MS, (readMs - now) * SELDOM), columns });
    return columns;
  }
}
