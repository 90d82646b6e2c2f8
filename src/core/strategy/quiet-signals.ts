import type { QuoteColumns, Rows } from '#domain/quote-columns.ts';
import { swapAmbient } from './ambient.ts';
import { type Batch, Doubles, QuoteRows, Words } from './batch.ts';
import type { View } from './contract.ts';
import type { Kernel } from './kernel.ts';
import { Stepper } from './stepped.ts';
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
  readonly kernel: Kernel<unknown, unknown> | undefined;
  /** False where something else reads what the kernel brings. */
  readonly isDecided: boolean;
}

/** Rows that were looked at: the kernel stands behind the last of them. */
interface Looked {
  readonly kernel: Kernel<unknown, unknown> | undefined;
  readonly out: Batch<unknown> | undefined;
  readonly columns: QuoteColumns;
  readonly from: number;
  readonly to: number;
}

/**
 * One strategy over many quotes at once: its signals come from the columns by way of its kernel, and `decide`, which is pure, is asked
 * beforehand for those that it may act on. What it would answer with nothing need not be played.
 */
export class QuietSignals {
  private readonly options: QuietSignalsOptions;
  private looked: Looked | undefined;
  private readonly rooms = new WeakMap<Kernel<unknown, unknown>, Batch<unknown>>();
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
  lookAhead(columns: QuoteColumns, [from, to]: Rows, rows: RowView | undefined): number {
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
      this.undo();
      return from;
    } finally {
      swapAmbient(before);
    }
  }

  private ahead(
    { kernel, isDecided }: Path,
    columns: QuoteColumns,
    { span, rows }: { readonly span: Rows; readonly rows: RowView | undefined },
  ): number {
    const [from, to] = span;
    if (kernel === undefined) {
      if (!rows) return from;
      this.looked = { kernel, out: undefined, columns, from, to };
      return this.firstAsked(span, rows, () => rows.view.quote);
    }
    const out = this.rooms.get(kernel) ?? kernel.room();
    this.rooms.set(kernel, out);
    out.reserve(to - from);
    kernel.keep();
    this.looked = { kernel, out, columns, from, to };
    kernel.span(new QuoteRows(columns, from), out, to - from);
    if (isDecided && rows) return this.firstAsked(span, rows, (row) => out.get(row - from));
    for (let row = from; row < to; row++) if (out.get(row - from) !== undefined) return row;
    return to;
  }

  private firstAsked([from, to]: Rows, rows: RowView, signalAt: (row: number) => unknown): number {
    const { runner, isBusy } = this.options;
    const isIgnored = !runner.instance.definition.concurrent && isBusy();
    if (this.quietIn !== rows || this.quietAt !== rows.count) {
      if (this.quiet.size > 0) this.quiet = new Set();
      this.quietCodes.fill(0);
      // Code 0 is no word.
      this.quietCodes[0] = 1;
    }
    this.quietIn = rows;
    this.quietAt = rows.count;
    const { out, columns } = this.looked ?? {};
    const codes = out instanceof Words ? out.codes : undefined;
    for (let row = from; row < to; row++) {
      if (codes !== undefined && this.quietCodes[codes[row - from] ?? 0] === 1) continue;
      const signal = signalAt(row);
      if (signal === undefined) continue;
      if (!runner.warmUp.isWarmAfter(row - from + 1, columns?.at[row] ?? 0)) return row;
      rows.to(row);
      if (runner.state?.wouldChange({ type: 'signal', signal }) === true) return row;
      if (!isIgnored && !this.isQuiet(signal, rows)) return row;
      if (codes !== undefined && runner.state === undefined && this.quiet.has(signal)) this.quietCodes[codes[row - from] ?? 0] = 1;
    }
    return to;
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
  settle([from, to]: Rows, at: number): void {
    const { runner } = this.options;
    const { looked } = this;
    this.looked = undefined;
    const rows = to - from;
    if (runner.disabled === undefined) runner.warmUp.passed(rows);
    if (looked === undefined) return;
    const { kernel, out, columns } = looked;
    if (kernel && out) {
      if (to !== looked.to) {
        kernel.undo();
        if (rows > 0) kernel.span(new QuoteRows(columns, from), out, rows);
      }
      if (rows > 0) kernel.settle();
    }
    const signals = rows === 0 ? 0 : out === undefined ? rows : countOf(out, rows);
    if (signals > 0) this.asked(signals, at, () => columns.at[from + firstOf(out, rows)]);
  }

  /** So many signals came, the first at a time, and nothing was decided on any. */
  private asked(signals: number, at: number, first: () => number | undefined): void {
    const { runner, isBusy } = this.options;
    runner.warmUp.isWarm(at);
    if (!runner.instance.definition.concurrent && isBusy()) return;
    runner.asked += signals;
    runner.firstAskedAt ??= first();
    runner.decided = true;
    runner.endGo();
  }

  private undo(): void {
    this.looked?.kernel?.undo();
    this.looked = undefined;
  }

  /** How the quotes are read; undefined where nobody reads them, a text where that is not known. */
  private path(): Path | string | undefined {
    const { runner } = this.options;
    if (runner.quotes.isUnread) return undefined;
    const keeps = runner.instance.origin?.keeps;
    if (keeps !== undefined) return `it keeps the variable ${keeps} from call to call; what decide must remember belongs in its state`;
    const reader = runner.quotes.onlyReader;
    if (reader instanceof SignalReader) return { kernel: undefined, isDecided: true };
    if (!(reader instanceof Stepper)) return 'its signals begin with an rxjs operator of its own';
    const { kernel, to } = reader;
    return kernel.oneByOne ?? { kernel, isDecided: to instanceof SignalReader };
  }
}

/** Stands for a signal that is the quote itself. */
const QUOTE = Symbol('quote');

function countOf(out: Batch<unknown>, rows: number): number {
  let count = 0;
  if (out instanceof Words) for (let row = 0; row < rows; row++) count += out.codes[row] === 0 ? 0 : 1;
  else if (out instanceof Doubles) for (let row = 0; row < rows; row++) count += Number.isNaN(out.values[row]) ? 0 : 1;
  else for (let row = 0; row < rows; row++) count += out.get(row) === undefined ? 0 : 1;
  return count;
}

/** The first row that brought something; each quote is a signal where there is no batch. */
function firstOf(out: Batch<unknown> | undefined, rows: number): number {
  if (out !== undefined) for (let row = 0; row < rows; row++) if (out.get(row) !== undefined) return row;
  return 0;
}
