import { ERRORS, KairosError } from '#domain/errors.ts';
import type { Headline } from '#report/headline.ts';

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
