import type { SchedulerLike } from 'rxjs';
import type { ProductCode } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';

/** The running strategy's surroundings, which the host alone sets around every call into a strategy. */
export interface Ambient {
  readonly scheduler: SchedulerLike;
  /** True where the quotes of a product are bars. */
  readonly areBars?: ((product: ProductCode) => boolean) | undefined;
  /** Keeps a value under its name for journal, chart and `why`. */
  readonly observed: { set(name: string, value: unknown): void };
}

/** A strategy asked for time, or named a value, while no event was being handled. */
export class OutsideEvent extends Error {
  override readonly name = 'OutsideEvent';
  readonly reason: Reason = 'OUTSIDE_EVENT';
  constructor(what: string) {
    super(
      `${what} was used while no event was being handled: use it in the streams that signals() returns, not after a promise or a timer of your own`,
    );
  }
}

let current: Ambient | undefined;

/** Makes `next` the running strategy's surroundings and returns the former ones, which the caller restores. */
export function swapAmbient(next: Ambient | undefined): Ambient | undefined {
  const before = current;
  current = next;
  return before;
}

/** True while the code of a strategy runs, as part of an event. */
export const isStrategyRunning = (): boolean => current !== undefined;

/** The surroundings of the strategy that is running. Throws OutsideEvent when none is; `what` names who asks. */
export function ambient(what: string): Ambient {
  if (!current) throw new OutsideEvent(what);
  return current;
}
