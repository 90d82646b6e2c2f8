import { KairosError } from '#domain/errors.ts';
import type { OperatorCommand } from '#domain/event.ts';
import type { OpsTarget } from '#server/control/target.ts';

/** A daemon that does nothing but hear of acts. */
export function idleTarget(perform: (act: OperatorCommand) => void = () => {}): OpsTarget {
  const nothing = (): never => {
    throw new KairosError('OPS_UNAVAILABLE', 'nothing runs');
  };
  return {
    state: () => ({ halted: false }),
    whyNot: nothing,
    notReady: () => [],
    perform: (act) => {
      perform(act);
      return [];
    },
    book: nothing,
    resolve: nothing,
    accept: nothing,
    byHand: nothing,
    byHandTask: () => undefined,
    remote: nothing,
    remoteTask: () => undefined,
    runLine: nothing,
    backtest: nothing,
    stopBacktest: nothing,
    drill: async () => nothing(),
  };
}
