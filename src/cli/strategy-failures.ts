import { uncaughtByStrategy } from '#core/strategy/process-guard.ts';
import { ERRORS, KairosError } from '#domain/errors.ts';
import type { Headline } from '#report/headline.ts';
import { exitCodeOf, printError } from './errors.ts';

/** Ends a command whose result is shown already with exit code 5 where a strategy failed. Throws STRATEGY_FAILED, but beside JSON. */
export function endFailed(headlines: readonly Headline[], json: boolean | undefined): void {
  const failed = [...new Set(headlines.flatMap(({ level, strategy }) => (level === 'failed' ? [strategy ?? 'a strategy'] : [])))];
  if (failed.length === 0) return;
  if (json) process.exitCode = ERRORS.STRATEGY_FAILED.exit;
  else
    throw new KairosError(
      'STRATEGY_FAILED',
      `${failed.join(', ')} failed: the result's first lines say where and why; mend it and run again`,
    );
}

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
