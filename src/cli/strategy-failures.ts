import { uncaughtByStrategy } from '#core/strategy/process-guard.ts';
import { ERRORS, KairosError } from '#domain/errors.ts';
import type { Headline } from '#report/headline.ts';
import { exitCodeOf, printError } from './errors.ts';

/** Ends a command with exit code 5 if a strategy failed, after its result is shown. Throws STRATEGY_FAILED, except with JSON. */
export function endFailed(headlines: readonly Headline[], json: boolean | undefined): void {
  const failed = [...new Set(headlines.flatMap(({ level, strategy }) => (level === 'failed' ? [strategy ?? 'a strategy'] : [])))];
  if (failed.length === 0) return;
  if (json) process.exitCode = ERRORS.STRATEGY_FAILED.exit;
  else
    throw new KairosError(
      'STRATEGY_FAILED',
      `${failed.join(', ')} failed: the result's first lines say where and why; fix it and run again`,
    );
}

/**
 * Handles errors that strategies leave uncaught in a promise or a timer while a command plays them. `ends`: the command
 * ends with STRATEGY_FAILED and the line of the source. `recorded`: ignored, since the run's events include the
 * consequences.
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
