import { uncaughtByStrategy } from '#core/strategy/process-guard.ts';
import { KairosError } from '#domain/errors.ts';
import { exitCodeOf, printError } from './errors.ts';

/**
 * Takes what strategies leave uncaught, in a promise or a timer of their own, while a command plays them. `ends`: it ends with
 * STRATEGY_FAILED and the line of the source. `recorded`: nothing is done, since what followed from it in the run is among its events.
 */
export function takeUncaught(then: 'ends' | 'recorded'): void {
  const take = (error: unknown): void => {
    const line = uncaughtByStrategy(error);
    if (then === 'recorded' && (line !== undefined || !(error instanceof Error))) return;
    const told =
      line === undefined ? error : new KairosError('STRATEGY_FAILED', `${line} (caught nowhere: in a promise or a timer of its own)`);
    printError(told, line === undefined);
    process.exit(exitCodeOf(told));
  };
  process.on('uncaughtException', take);
  process.on('unhandledRejection', take);
}
