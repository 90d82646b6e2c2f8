import type { SchedulerLike } from 'rxjs';
import type { Ambient } from '#core/strategy/ambient.ts';
import { swapAmbient } from '#core/strategy/ambient.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import { Stepper } from '#core/strategy/kernel.ts';
import { SignalReader, StrategyRunner } from '#core/strategy/strategy-runner.ts';
import type { WarmUp } from '#core/strategy/warm-up.ts';
import type { Millis } from '#domain/names.ts';
import { LastSignals } from '#domain/outside-signal.ts';
import { type RecordingColumns, Runs } from './columns.ts';
import { NotScreened } from './not-screened.ts';

/** The signals of a strategy as words, and how much it must have seen before they count. */
export interface Signals {
  readonly runs: Runs<string>;
  readonly warmUp: WarmUp;
}

/** A strategy's signals on a recording that begins at a time. Throws NotScreened where they are more than operators of kairos/strategy on quotes. */
export function signalsOf(
  instance: StrategyInstance,
  columns: RecordingColumns,
  { areBars, from }: Pick<Ambient, 'areBars'> & { readonly from: Millis },
): Signals {
  const { definition, inputs = {}, origin } = instance;
  if (Object.keys(inputs).length > 0) throw new NotScreened(`inputs (${Object.keys(inputs).join(', ')})`);
  if (definition.state) throw new NotScreened('state');
  if (definition.concurrent) throw new NotScreened('concurrent');
  if (origin?.keeps !== undefined) throw new NotScreened(`the variable ${origin.keeps}, which it keeps from call to call`);
  const scheduler: SchedulerLike = {
    now: () => from,
    schedule: () => {
      throw new NotScreened('a timer');
    },
  };
  const sink = {
    signal: () => true,
    failed: (_runner: unknown, _generation: unknown, error: unknown): void => {
      throw error;
    },
  };
  const runner = new StrategyRunner({
    instance,
    scheduler,
    cronNext: undefined,
    areBars,
    enter: (_, run) => run(),
    sink,
    lastSignals: new LastSignals(),
    notesAsks: false,
  });
  const before = swapAmbient(runner);
  try {
    runner.subscribe();
    if (runner.timers.size > 0) throw new NotScreened('a timer');
    for (const [name, stream] of [
      ['outcomes$', runner.outcomes],
      ['deposits$', runner.deposits],
      ['dataEnds$', runner.dataEnds],
    ] as const)
      if (stream.observed) throw new NotScreened(name);
    const reader = runner.quotes.onlyReader;
    if (!(reader instanceof Stepper) || !(reader.to instanceof SignalReader)) throw new NotScreened('an rxjs operator of its own');
    if (reader.kernel.oneByOne !== undefined) throw new NotScreened('indicator(...), whose state only it knows');
    const { batch } = reader.kernel.column(columns.quotes, columns);
    if (!(batch instanceof Runs)) throw new NotScreened('signals that are no words of above or crossing');
    return { runs: batch, warmUp: runner.warmUp };
  } catch (error) {
    // What a strategy throws is for the engine to tell.
    throw error instanceof NotScreened ? error : new NotScreened('signals that throw');
  } finally {
    runner.end();
    swapAmbient(before);
  }
}
