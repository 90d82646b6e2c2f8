import { fixedText, shareText } from '#domain/money-text.ts';
import { isKnown } from '#report/metrics/metric.ts';
import type { LuckVerdict } from './sweep-ranking.ts';

/** Figures that judge a result as the best of many, alike on a terminal and in a report; `candidate` names one of the many. */
export function judgedLines(
  { verdict, trials, sharpe, deflated, returnOfPaths }: LuckVerdict,
  candidate: string,
  more: readonly string[] = [],
): readonly string[] {
  const sure = isKnown(deflated) ? shareText(deflated) : `n/a (${deflated.why})`;
  const yearly = isKnown(sharpe) ? fixedText(sharpe, 3) : `n/a (${sharpe.why})`;
  const band = returnOfPaths
    ? `${shareText(returnOfPaths.p5)} to ${shareText(returnOfPaths.p95)}`
    : `n/a (${isKnown(deflated) ? 'needs 10 whole days' : deflated.why})`;
  return [
    `Sharpe ratio ${yearly}; deflated for ${trials} ${candidate}${trials === 1 ? '' : 's'} of these quotes: ${sure}`,
    `return of 90 % of paths drawn anew from its days, in blocks: ${band}`,
    ...more,
    `verdict: ${verdict.text}`,
  ];
}
