import type { CheckResult } from './check-result.ts';
import { type CheckWords, LIMIT_WORDS } from './limits.ts';
import { meaningOf } from './reasons.ts';
import { settleText } from './settle-text.ts';

/** Checks whose figures tell more than the meaning of their code. */
const WORDS: Readonly<Record<string, CheckWords>> = {
  ...LIMIT_WORDS,
  // The state of trading: the figure is why.
  REDUCING: (why) => `only exits pass: ${why}`,
  OUTSIDE_WINDOW: (why) => `the strategy opens nothing now: ${why}`,
  // Time
  CLOCK_UNSURE: (figure, limit) =>
    figure === 'unknown'
      ? "the service's time is not known"
      : `the service's time is known to ± ${figure} ms, where ± ${limit} ms is needed`,
  CLOCK_OLD: (figure, limit) => `the service's clock was last looked at ${figure} ms ago, more than ${limit} ms`,
  LAG: (figure, limit) => `the event loop is ${figure} ms late at the 99th percentile, over ${limit} ms`,
  EXIT_PAUSE: (figure) => `after a rejected exit: ${figure}`,
  SERVICE_WAIT: (figure) => `the service asked for a pause: ${figure}`,
  // Sizing
  LANE_POOL_EMPTY: (figure, limit) => `${figure} of ${limit} lanes of lanes.reserve are in use`,
  LANE_WAIT: (figure, limit) => `no quote for ${figure} within ${limit} ms`,
  DUST: (least, wanted) => `${wanted}, and an order is ${least}`,
  NO_POSITION: (held, wanted) => `asked to close ${wanted}, where ${held} is held`,
  POSITION_UNSURE: (held, order) => `${held}${order === 'none' ? '; an order of it is on its way' : `; ${settleText(order)}`}`,
  SIZE_LIMITS: {
    passed: (size, least) => `size ${size}, ${least} at least`,
    // For a share of a position the limit comes first.
    failed: (figure, limit) =>
      figure.startsWith('at least') ? `${limit}, and an order is ${figure}` : `${figure}, where the product has ${limit}`,
  },
  SHORT_NOT_ALLOWED: {
    passed: (after) => `the position would be ${after}, not below 0`,
    failed: (after) => `the position would be ${after}, and the product may not go short`,
  },
  // Prices
  LIMIT_PRICE: (price, limit) => `price ${price}, limit ${limit}`,
  // Values
  NO_RATE: (value, currencies) => `there is no live rate from ${value} to ${currencies}`,
  BUDGET: (cost, left) => `costs ${cost}, ${left} left of the budget`,
  INSUFFICIENT_FUNDS: (cost, left) => `costs ${cost}, ${left} left in the account`,
};

/** What a check found, as a plain sentence without its code. */
export function checkWords({ check, passed, figure, limit, currency }: CheckResult): string {
  const words = WORDS[check];
  if (words === undefined) return meaningOf(check) ?? `a check that this version does not know (${check}): ${short(figure)}`;
  const say = typeof words === 'function' ? words : passed ? words.passed : words.failed;
  const unit = currency === undefined ? '' : ` ${currency}`;
  return say(`${short(figure)}${unit}`, `${short(limit ?? 'none')}${unit}`);
}

/** The meaning of a reason code; any other word is returned unchanged. */
export const reasonWords = (word: string): string => meaningOf(word) ?? word;

/** Why an order was refused: one sentence for each failed check, or the meaning of the code if no check failed. */
export function refusalWords(reason: string | null, checks: readonly CheckResult[]): string {
  const failed = checks.filter(({ passed }) => !passed);
  if (failed.length > 0) return failed.map(checkWords).join('; ');
  return meaningOf(reason) ?? 'a reason that this version does not know';
}

/** A figure with ten digits, for people. */
const short = (value: string | number): string => (typeof value === 'number' ? String(Number(value.toPrecision(10))) : value);
