// Rows at once. One quote is defined in `host.ts`; row by row this is held to it by `test/research/backtest/spans/equal.test.ts`.
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';
import { swapAmbient } from './ambient.ts';
import { type Batch, Doubles, WordBatch } from './batch.ts';
import type { View } from './contract.ts';
import { Stepper } from './kernel.ts';
import { SignalRun } from './signal-run.ts';
import { SignalReader, type StrategyRunner } from './strategy-runner.ts';

/** What a strategy would be shown at each row of some columns, one after the other. */
export interface RowView {
  /** Goes to a row; the view shows that one from then on. */
  to(row: number): void;
  readonly view: View;
  /** Another one once something changes that no row does. */
  readonly count: number;
  /** True where what was read since `forget` may be another at each row. */
  readonly hasRead: boolean;
  forget(): void;
}

interface QuietSignalsOptions {
  readonly runner: StrategyRunner;
  /** True while no decision of the strategy is wanted. */
  readonly isBusy: () => boolean;
}

/** How the quotes of a strategy are read, where all of it is known. */
interface Path {
  /** Undefined where each quote is a signal. */
  readonly run: SignalRun<unknown> | undefined;
  /** False where something else reads what the kernel brings. */
  readonly isDecided: boolean;
}

/** What was looked at. */
interface SignalScan {
  readonly run: SignalRun<unknown> | undefined;
  readonly columns: QuoteColumns;
}

/**
 * One strategy over many quotes at once: its signals are found ahead in the columns, and `decide`, which is pure, is asked beforehand
 * for those that it may act on. What it would answer with nothing need not be played.
 */
export class QuietSignals {
  private readonly options: QuietSignalsOptions;
  private looked: SignalScan | undefined;
  /** Signals that were answered with nothing, while the view shows the same. */
  private quiet = new Set<unknown>();
  private quietIn: RowView | undefined;
  private quietAt = 0;
  /** The same by the codes of words. */
  private readonly quietCodes = new Uint8Array(256);

  constructor(options: QuietSignalsOptions) {
    this.options = options;
  }

  /** Why the strategy takes quotes one by one, in words; undefined where it need not. */
  get oneByOne(): string | undefined {
    const path = this.path();
    if (typeof path === 'string') return path;
    if (path?.isDecided === false) return 'an rxjs operator of its own follows those of kairos/strategy in signals()';
    return undefined;
  }

  /** The first row at which the strategy does something; the end of the span where it does not. `settle` must follow. */
  lookAhead(columns: QuoteColumns, [from, to]: RowRange, rows: RowView | undefined): number {
    const { runner } = this.options;
    const path = runner.disabled === undefined ? this.path() : undefined;
    this.looked = undefined;
    if (path === undefined) return to;
    if (typeof path === 'string' || runner.feeding) return from;
    const before = swapAmbient(runner);
    try {
      return this.ahead(path, columns, { span: [from, to], rows });
    } catch {
      // The strategy's own error: it comes again when the row is played, and is told then.
      this.looked = undefined;
      return from;
    } finally {
      swapAmbient(before);
    }
  }

  private ahead(
    { run, isDecided }: Path,
    columns: QuoteColumns,
    { span: [from, end], rows }: { readonly span: RowRange; readonly rows: RowView | undefined },
  ): number {
    if (run === undefined) {
      if (!rows) return from;
      this.looked = { run, columns };
      return this.firstAsked([from, end], rows, () => rows.view.quote);
    }
    const to = Math.min(end, run.upTo(columns, from));
    this.looked = { run, columns };
    const { out, from: first } = run;
    if (isDecided && rows) return this.firstAsked([from, to], rows, (row) => out.get(row - first));
    for (let row = from; row < to; row++) if (out.get(row - first) !== undefined) return row;
    return to;
  }

  private firstAsked([from, to]: RowRange, rows: RowView, signalAt: (row: number) => unknown): number {
    const { runner, isBusy } = this.options;
    const isIgnored = !runner.instance.definition.concurrent && isBusy();
    this.beginQuiet(rows);
    const { run, columns } = this.looked ?? {};
    const codes = run?.out instanceof WordBatch ? run.out.codes : undefined;
    const first = run?.from ?? 0;
    for (let row = from; row < to; row++) {
      if (codes !== undefined && this.quietCodes[codes[row - first] ?? 0] === 1) continue;
      const signal = signalAt(row);
      if (signal === undefined) continue;
      if (!runner.warmUp.isWarmAfter(row - from + 1, columns?.at[row] ?? 0)) return row;
      rows.to(row);
      if (runner.state?.wouldChange({ type: 'signal', signal }) === true) return row;
      if (!isIgnored && !this.isQuiet(signal, rows)) return row;
      if (codes !== undefined && runner.state === undefined && this.quiet.has(signal)) this.quietCodes[codes[row - first] ?? 0] = 1;
    }
    return to;
  }

  /** Forgets what is quiet where something else than a row has changed. */
  private beginQuiet(rows: RowView): void {
    if (this.quietIn === rows && this.quietAt === rows.count) return;
    if (this.quiet.size > 0) this.quiet = new Set();
    this.quietCodes.fill(0);
    // Code 0 is no word.
    this.quietCodes[0] = 1;
    this.quietIn = rows;
    this.quietAt = rows.count;
  }

  /** True where `decide` answers with nothing. What depends on nothing that a row changes is remembered. */
  private isQuiet(signal: unknown, rows: RowView): boolean {
    const known = typeof signal === 'object' ? QUOTE : signal;
    if (this.quiet.has(known)) return true;
    if (typeof signal === 'object' && signal !== rows.view.quote) return false;
    rows.forget();
    if (this.decided(signal, rows.view) !== undefined) return false;
    if (!rows.hasRead && typeof signal !== 'number') this.quiet.add(known);
    return true;
  }

  /** What `decide` would return; anything but nothing where it throws. */
  private decided(signal: unknown, view: View): unknown {
    const { instance, params } = this.options.runner;
    try {
      return instance.definition.decide(signal, view, params);
    } catch (error) {
      // It throws again when the row is played, and is told then.
      return error ?? true;
    }
  }

  /** Takes the rows of a span that `lookAhead` let pass, the last of them at `at`. An empty one takes back what was looked at. */
  settle([from, to]: RowRange, at: number): void {
    const { runner } = this.options;
    const { looked } = this;
    this.looked = undefined;
    const rows = to - from;
    if (runner.disabled === undefined) runner.warmUp.passed(rows);
    if (looked === undefined) return;
    if (rows === 0) return;
    const { run, columns } = looked;
    run?.pass(to);
    const came = run === undefined ? { signals: rows, first: from } : cameIn(run, [from, to]);
    if (came.signals > 0) this.asked(came.signals, at, columns.at[came.first]);
  }

  /** So many signals came, the first at a time, and nothing was decided on any. */
  private asked(signals: number, at: number, first: number | undefined): void {
    const { runner, isBusy } = this.options;
    runner.warmUp.isWarm(at);
    if (!runner.instance.definition.concurrent && isBusy()) return;
    runner.counts.asked += signals;
    runner.firstAskedAt ??= first;
    runner.decided = true;
    runner.endGo();
  }

  /** How the quotes are read; undefined where nobody reads them, a text where that is not known. */
  private path(): Path | string | undefined {
    const { runner } = this.options;
    if (runner.quotes.isUnread) return undefined;
    const keeps = runner.instance.origin?.keeps;
    if (keeps !== undefined) return `it keeps the variable ${keeps} from call to call; what decide must remember belongs in its state`;
    const reader = runner.quotes.onlyReader;
    if (reader instanceof SignalReader) return { run: undefined, isDecided: true };
    if (!(reader instanceof Stepper)) return 'its signals begin with an rxjs operator of its own';
    const { kernel, to } = reader;
    if (kernel.oneByOne !== undefined) return kernel.oneByOne;
    const run = reader.ahead instanceof SignalRun ? reader.ahead : new SignalRun(kernel);
    reader.ahead = run;
    return { run, isDecided: to instanceof SignalReader };
  }
}

/** Stands for a signal that is the quote itself. */
const QUOTE = Symbol('quote');

/** How many of some rows brought something, and the first that did. */
function cameIn({ out, from: first }: SignalRun<unknown>, [from, to]: RowRange): { readonly signals: number; readonly first: number } {
  const came = { signals: 0, first: to };
  const isThere = presence(out);
  for (let row = to - 1; row >= from; row--) {
    if (!isThere(row - first)) continue;
    came.signals += 1;
    came.first = row;
  }
  return came;
}

function presence(out: Batch<unknown>): (row: number) => boolean {
  if (out instanceof WordBatch) return (row) => out.codes[row] !== 0;
  if (out instanceof Doubles) return (row) => !Number.isNaN(out.values[row]);
  return (row) => out.get(row) !== undefined;
}
