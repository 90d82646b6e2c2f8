import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import type { Draws } from '#lab/simulator/world/draws.ts';
import type { Terms } from './books.ts';

const TELL_ALL = new Set(['told-plainly', 'told-as-texts', 'told-as-filled', 'told-as-executed']);
const TELL_FEE = new Set(['fee-with-ccy', 'fee-with-currency', 'fee-as-commission', 'fee-object']);

/** Draws how an execution differs from its quote; undefined where the dialect's answers could not tell. */
export function drawTerms({ figuresTold, feeTold, answerForm, answerStatus }: Dialect, draws: Draws): Terms | undefined {
  const isTold = TELL_ALL.has(figuresTold) && TELL_FEE.has(feeTold) && answerForm === 'answer-json' && answerStatus !== 'answer-202-open';
  if (!isTold) return undefined;
  return {
    share: draws.pick([1, 1, 0.9, 0.6, 0.25]),
    betterBy: draws.pick([0, 0, 1, 3]),
    feePct: draws.pick([100, 100, 80, 60]),
  };
}
