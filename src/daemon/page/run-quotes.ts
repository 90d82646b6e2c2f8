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

/** Recorded quotes of runs. Those of the run that goes on, whose log must be read whole each time, are kept for a while. */
export class RunQuotes {
  private readonly dir: string;
  private readonly monotonicMs: () => Millis;
  private kept: { readonly run: string; readonly untilMs: Millis; readonly columns: readonly QuoteColumns[] } | undefined;

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

  /** Of one run that is over, all lanes; none where it was not recorded. */
  ofPast(run: string): readonly QuoteColumns[] {
    return this.read(run, {});
  }

  /** Of the last run, which may go on, all lanes; none where it is not recorded. */
  ofLast(run: string): readonly QuoteColumns[] {
    const now = this.monotonicMs();
    if (this.kept?.run === run && now < this.kept.untilMs) return this.kept.columns;
    const columns = this.read(run, {});
    const readMs = this.monotonicMs();
    this.kept = { run, untilMs: readMs + Math.max(FRESH_MS, (readMs - now) * SELDOM), columns };
    return columns;
  }

  /** Quotes of a product from the first time to before the second, run after run, the current or last run included. */
  *between(runs: readonly RunSpan[], wanted: { readonly product: string; readonly from: Millis; readonly to: Millis }) {
    const { product, from, to } = wanted;
    for (const [index, { run_id, started_at, ended_at }] of runs.entries()) {
      const next = runs[index + 1]?.started_at;
      const end = ended_at ?? next;
      if (Date.parse(started_at) >= to || (end !== undefined && Date.parse(end) < from)) continue;
      const isLast = next === undefined;
      const columns = isLast ? this.ofLast(run_id) : this.read(run_id, { from, to, products: [product] });
      yield columns.filter((one) => one.product === product);
    }
  }

  /** A recording that cannot be read, as one of another format, is left out. */
  private read(run: string, filter: Parameters<typeof columnsIn>[1]): readonly QuoteColumns[] {
    const log = logPath(this.dir, run);
    try {
      return isRecorded(log) ? columnsIn([log], filter) : [];
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      return [];
    }
  }
}
