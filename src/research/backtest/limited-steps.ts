import { endsWithin } from '#adapters/time/execution-limit.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { KairosError } from '#domain/errors.ts';

/** What may take so long, in milliseconds of real time, before it is taken for endless: ten times what disables a strategy live. */
const ENDLESS_MS = 30_000;

/** How long steps are taken together, in milliseconds, and how many at first: each limit takes a fraction of a millisecond. */
const TOGETHER_MS = 500;
const FIRST_STEPS = 100;
const MAX_STEPS = 1_000_000;

/** Plays a backtest piece by piece, so that a strategy that never comes back ends it in one line instead of never. */
export class LimitedSteps {
  /** The strategy whose code ran last; undefined before any has. */
  private readonly inside: () => string | undefined;

  constructor(inside: () => string | undefined) {
    this.inside = inside;
  }

  /** Takes steps until one says that there is no other. Throws STRATEGY_FAILED naming the strategy that does not come back. */
  all(step: () => boolean): void {
    let goesOn = true;
    for (let count = FIRST_STEPS; goesOn; ) {
      const began = systemTimers.monotonicMs();
      this.once(() => {
        for (let n = 0; n < count && goesOn; n++) goesOn = step();
      });
      const tookMs = Math.max(1, systemTimers.monotonicMs() - began);
      count = Math.min(MAX_STEPS, Math.max(1, Math.round((count * TOGETHER_MS) / tookMs)));
    }
  }

  /** Takes one step. Throws STRATEGY_FAILED. */
  once(step: () => void): void {
    if (endsWithin(step, ENDLESS_MS)) return;
    // Cut off, its code has not given the surroundings back.
    swapAmbient(undefined);
    const who = this.inside() ?? 'a strategy';
    throw new KairosError(
      'STRATEGY_FAILED',
      `strategy ${who} did not come back within ${ENDLESS_MS / 1000} s: look for an endless loop in its decide, signals or state; live it would be ended after 3 s`,
    );
  }
}
