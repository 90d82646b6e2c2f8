import type { PastValue } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';
import type { HostOptions } from './host-options.ts';
import { ownPast } from './own-past.ts';
import type { StrategyRunner } from './strategy-runner.ts';

interface ReliveParts {
  readonly scheduler: HostOptions['scheduler'];
  /** Subscribes the signals anew. */
  readonly revive: (runner: StrategyRunner) => void;
  readonly runTimers: (upTo: Millis) => void;
}

/** Lets the signals of every strategy that wants to see some first live through the past. */
export function replayWarmUp(runners: Iterable<StrategyRunner>, past: readonly PastValue[], parts: ReliveParts): void {
  for (const runner of runners) if (runner.disabled === undefined && runner.warmUp.wantsPast) reliveOne(runner, past, parts);
}

/**
 * Lets a strategy's signals begin in the past and come to the present: engine time goes back to the first value, each value is
 * given at its own time, and timers fire at theirs. What the signals bring meanwhile is not decided on. Where they fail they
 * begin anew in the present, having seen nothing. Nothing happens where one of the strategy's inputs has no past.
 */
function reliveOne(runner: StrategyRunner, past: readonly PastValue[], { scheduler, revive, runTimers }: ReliveParts): void {
  const own = ownPast(runner.instance, past);
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last) return;
  const present = scheduler.now();
  let generation = runner.generation;
  runner.feeding = true;
  scheduler.goBack(first.at, () => {
    revive(runner);
    generation = runner.generation;
    for (const value of own) {
      runTimers(value.at);
      if (runner.generation !== generation) return;
      runner.replay(value);
    }
    if (runner.generation !== generation) return;
    runTimers(present);
    runner.warmUp.missed(present - last.at);
  });
  runner.feeding = false;
  if (runner.generation !== generation && runner.disabled === undefined) revive(runner);
}
