import { durationText } from './duration-text.ts';
import type { Millis } from './names.ts';
import type { Reason } from './reasons.ts';

/** Every state of a strategy and its meaning. The first one that applies counts. */
export const STRATEGY_STATES = {
  DISABLED: 'it does not run until it is enabled',
  HALTED: 'no order goes out',
  DISARMED: 'no order goes out until a person arms this configuration',
  PAUSED: 'it closes and opens nothing',
  REDUCING: 'only orders that reduce a position pass',
  NO_TIME: "orders wait: the service's time is not known well enough, or this machine is late",
  NO_QUOTES: 'one of its lanes has no quote that an order may use',
  FROZEN: 'an order in its product has an unknown outcome: it opens nothing, and closes what is certain',
  WAITING: 'the service asked for a pause (429): openings wait',
  NO_RATE: 'a limit is in a currency for which there is no live rate: it opens nothing',
  NO_FUNDS: 'its budget or the account does not cover its amount',
  OUTSIDE_WINDOW: 'its windows allow no openings now',
  COOLING_DOWN: 'it opens nothing for a while, after losses in a row',
  WARMING_UP: 'its signals are still warming up',
  REFUSED: 'its orders are refused repeatedly',
  NO_SIGNAL: 'its signals are not numbers, and it does nothing on them',
  RUNNING: 'it trades when its rule says so',
} as const;

/** The name of a state of a strategy. */
export type StrategyStateName = keyof typeof STRATEGY_STATES;

/** The state of a strategy at an instant, and what ends it. */
export interface StrategyState {
  readonly state: StrategyStateName;
  /** The code with which an order would be refused; null if none would. */
  readonly reason: Reason | null;
  /** The cause, in words that stay the same while it lasts; empty if the state says all. */
  readonly why: string;
  /** What ends it or what a person can do; empty if nothing has to end. */
  readonly mend: string;
  /** When it began; null if that is unknown. */
  readonly since: Millis | null;
  /** When it ends by itself; null if that is unknown. */
  readonly until: Millis | null;
}

/** States with an external cause, for which neither the strategy nor a person is responsible. After 30 s they are reported with their remedy. */
const OUTSIDE: ReadonlySet<StrategyStateName> = new Set([
  'DISARMED',
  'NO_TIME',
  'NO_QUOTES',
  'FROZEN',
  'WAITING',
  'NO_RATE',
  'NO_FUNDS',
  'REFUSED',
]);

/** True if an external cause keeps the strategy from trading. */
export const isBlocked = ({ state }: Pick<StrategyState, 'state'>): boolean => OUTSIDE.has(state);

/** Where the figures of a state are, for all but `why-not` itself. */
export const figuresIn = (strategy: string): string => `kairos why-not --strategy ${strategy} has the figures`;

/** What ends a state, for `why-not`, which has the figures itself. */
export const mendHere = ({ mend }: Pick<StrategyState, 'mend'>, strategy: string): string =>
  mend
    .split('; ')
    .filter((part) => part !== figuresIn(strategy))
    .join('; ');

/** The time until something ends, as in `4 min 5 s left`. */
export const leftText = (ms: Millis): string => `${durationText(ms)} left`;
