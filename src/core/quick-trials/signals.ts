import type { SchedulerLike } from 'rxjs';
import type { Ambient } from '#core/strategy/ambient.ts';
import { swapAmbient } from '#core/strategy/ambient.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import { Stepper } from '#core/strategy/kernel.ts';
import { SignalReader, StrategyRunner } from '#core/strategy/strategy-runner.ts';
import type { WarmUp } from '#core/strategy/warm-up.ts';
import type { Millis } from '#domain/names.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { type RecordingColumns, Runs } from './columns.ts';
import { placedRefusal, ScreenRefusal } from './screen-refusal.ts';

/** Signals one by one: the row at which each came, and what it is. A row may have several. */
export interface Came {
  readonly rows: readonly number[];
  readonly values: readonly unknown[];
}

/** The signals of a strategy, and how much it must have seen before they count. */
export interface Signals {
  /** Words as runs, others one by one; undefined where each quote is a signal. */
  readonly of: Runs<string> | Came | undefined;
  readonly warmUp: WarmUp;
}

/** A strategy's signals on a recording that begins at a time. Throws ScreenRefusal where they rest on more than its quotes. */
export function signalsOf(
  instance: StrategyInstance,
  columns: RecordingColumns,
  { areBars, from }: Pick<Ambient, 'areBars'> & { readonly from: Millis },
): Signals {
  const { definition, inputs = {}, origin } = instance;
  if (Object.keys(inputs).length > 0)
    throw placedRefusal(new ScreenRefusal(`inputs (${Object.keys(inputs).join(', ')})`), origin, 'signals');
  if (definition.concurrent) throw placedRefusal(new ScreenRefusal('concurrent: true'), origin, 'decide');
  if (origin?.keeps !== undefined) throw new ScreenRefusal(`the variable ${origin.keeps}, which it keeps from call to call`);
  const collected = new SignalRows(from);
  const runner = new StrategyRunner({
    instance,
    scheduler: collected.scheduler,
    cronNext: undefined,
    areBars,
    enter: (_, run) => run(),
    sink: collected,
    notesAsks: false,
  });
  const before = swapAmbient(runner);
  try {
    runner.subscribe();
    if (runner.timers.size > 0) throw new ScreenRefusal('a timer');
    for (const [name, stream] of [
      ['outcomes$', runner.outcomes],
      ['deposits$', runner.deposits],
      ['dataEnds$', runner.dataEnds],
    ] as const)
      if (stream.observed) throw new ScreenRefusal(name);
    return { of: cameIn(runner, columns, collected), warmUp: runner.warmUp };
  } catch (error) {
    throw placedRefusal(error, origin, 'signals');
  } finally {
    runner.end();
    swapAmbient(before);
  }
}

/** Operators of kairos/strategy bring whole columns, which trials share; rxjs operators behind them are given what those bring, others each quote. */
function cameIn({ quotes }: StrategyRunner, columns: RecordingColumns, collected: SignalRows): Signals['of'] {
  const reader = quotes.onlyReader;
  if (reader instanceof SignalReader) return undefined;
  if (!(reader instanceof Stepper) || reader.kernel.oneByOne !== undefined) {
    for (let row = 0; row < columns.rows; row++)
      collected.at(row, columns.columns.at[row] ?? 0, () => quotes.next(quoteAt(columns.columns, row)));
    return collected.signals();
  }
  const { batch } = reader.kernel.column(columns.quotes, columns);
  if (reader.to instanceof SignalReader) {
    if (batch instanceof Runs) return batch;
    for (const row of columns.rowsOf(batch)) collected.take(row, batch.get(row));
  } else for (const row of columns.rowsOf(batch)) collected.at(row, columns.columns.at[row] ?? 0, () => reader.to.next(batch.get(row)));
  return collected.signals();
}

/** True for plain data without NaN. It is frozen: a signal that is changed once it came throws, as others were to see it as it was. */
function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && !Number.isNaN(value);
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== Array.prototype) return false;
  const parts = Object.values(Object.getOwnPropertyDescriptors(Object.freeze(value)));
  return parts.every((part) => 'value' in part && isData(part.value));
}

/** Signals one by one, whatever they are; a quote is a view that goes to its row. */
export function cameOf(of: Signals['of'], length: number, quote: unknown): Came {
  if (of !== undefined && !(of instanceof Runs)) return of;
  const came: { rows: number[]; values: unknown[] } = { rows: [], values: [] };
  for (let row = 0; row < length; row++) {
    const value = of === undefined ? quote : of.get(row);
    if (value === undefined) continue;
    came.rows.push(row);
    came.values.push(value);
  }
  return came;
}

/** Takes the signals that a strategy's streams bring while they are given the rows of a recording. */
class SignalRows {
  private readonly rows: number[] = [];
  private readonly values: unknown[] = [];
  private row = 0;
  private now: Millis;
  private failure: unknown;

  readonly scheduler: SchedulerLike = {
    now: () => this.now,
    schedule: () => {
      throw new ScreenRefusal('a timer');
    },
  };

  constructor(from: Millis) {
    this.now = from;
  }

  /** Gives them something of a row. */
  at(row: number, now: Millis, give: () => void): void {
    this.row = row;
    this.now = now;
    give();
    if (this.failure !== undefined) throw this.failure;
  }

  signal(_runner: unknown, _generation: unknown, signal: unknown): boolean {
    this.take(this.row, signal);
    return true;
  }

  failed(_runner: unknown, _generation: unknown, error: unknown): void {
    this.failure ??= error ?? new ScreenRefusal('an error that it throws');
  }

  take(row: number, value: unknown): void {
    if (!isData(value)) throw new ScreenRefusal('signals that are not plain data, or NaN');
    this.rows.push(row);
    this.values.push(value);
  }

  /** Texts become runs, of which each is asked about once where nothing else counts. */
  signals(): Runs<string> | Came {
    const { rows, values } = this;
    const words = [...new Set(values)];
    const texts = words.filter((word) => typeof word === 'string');
    if (texts.length < words.length || texts.length > 200 || rows.some((row, n) => row === rows[n - 1])) return { rows, values };
    const runs = new Runs(texts);
    const codes = new Map(texts.map((word, n) => [word as unknown, n + 1]));
    for (const [n, row] of rows.entries()) {
      if (n > 0 && (rows[n - 1] ?? 0) + 1 < row) runs.begin((rows[n - 1] ?? 0) + 1, 0);
      runs.begin(row, codes.get(values[n]) ?? 0);
    }
    const last = rows.at(-1);
    if (last !== undefined) runs.begin(last + 1, 0);
    return runs;
  }
}
