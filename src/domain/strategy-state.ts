import type { CheckResult } from './check-result.ts';
import type { LaneChange } from './lane.ts';
import { foremostFirst, type StandingLatch } from './latch-ends.ts';
import type { LaneId, Millis, ProductCode } from './names.ts';
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
  FROZEN: 'an order in its product has an unknown outcome: it opens nothing',
  WAITING: 'the service asked for a pause (429): openings wait',
  NO_RATE: 'a limit is in a currency without a live rate: it opens nothing',
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

/** A lane without a quote that an order may use; without a lane, a product that none can have. */
interface MissingQuote {
  readonly product: ProductCode;
  readonly lane?: LaneId;
  readonly phase?: 'new' | LaneChange['phase'];
  /** What the connection said last. */
  readonly why?: string;
  /** When its last quote came; absent where none did. */
  readonly quoteAt?: Millis;
  /** How many of its quotes were refused for the reason, where most were. */
  readonly refused?: number;
}

/** What a flat strategy would pay, and what does not cover it. Amounts as text. */
interface FundsShortage {
  readonly cost: string;
  readonly currency: string;
  readonly budgetLeft?: string;
  readonly accountLeft?: string;
  readonly limits: readonly { readonly setting: string; readonly limit: string; readonly currency: string }[];
}

/** What keeps a strategy from trading, with its figures, of which `no-order-words.ts` makes words. */
export type TradingBlock =
  | { readonly state: keyof typeof LATCHED; readonly figures: { readonly standing: readonly StandingLatch[] } }
  | { readonly state: 'NO_QUOTES'; readonly figures: MissingQuote }
  | { readonly state: 'FROZEN'; readonly figures: { readonly order: string; readonly product: string } }
  | { readonly state: 'NO_RATE'; readonly figures: { readonly setting: string; readonly has: readonly string[]; readonly lacks: string } }
  | { readonly state: 'NO_FUNDS'; readonly figures: FundsShortage }
  | { readonly state: 'OUTSIDE_WINDOW' | 'NO_SIGNAL'; readonly figures: { readonly why: string } }
  | { readonly state: 'COOLING_DOWN'; readonly figures: { readonly losses: number } }
  | { readonly state: 'WARMING_UP'; readonly figures: { readonly seen: number; readonly quotes: number; readonly spanMs: Millis } }
  | { readonly state: 'REFUSED'; readonly figures: RefusalChecks }
  | { readonly state: 'NO_TIME' | 'WAITING' | 'RUNNING'; readonly figures: Readonly<Record<never, never>> };

/** The checks of the last refusal; `answer`: the slow answer for which quotes have too little time left, and what they need without it. */
interface RefusalChecks {
  readonly checks: readonly CheckResult[];
  readonly answer?: { readonly ms: Millis; readonly leastMs: Millis };
}

/** What rows and files of earlier versions have of a state: its words of then, which are shown as they are. */
interface ToldThen {
  readonly state: StrategyStateName;
  readonly why: string;
  readonly mend: string;
}

/** What is kept of a state in journals. */
export type JournaledBlock = TradingBlock | ToldThen;

/** The state of a strategy at an instant. */
export type StrategyState = TradingBlock & StateTimes;

/** A state as a row or a file has it. */
export type JournaledState = JournaledBlock & StateTimes;

interface StateTimes {
  /** The code with which an order would be refused; null if none would. */
  readonly reason: Reason | null;
  /** When it began; null if that is unknown. */
  readonly since: Millis | null;
  /** When it ends by itself; null if that is unknown. */
  readonly until: Millis | null;
}

/** The latches that are states. */
const LATCHED = { DISABLED: 'disabled', HALTED: 'halted', DISARMED: 'disarmed', PAUSED: 'paused', REDUCING: 'reducing' } as const;

const STATE_OF = { disabled: 'DISABLED', halted: 'HALTED', disarmed: 'DISARMED', paused: 'PAUSED', reducing: 'REDUCING' } as const;

/** The state that latches bring about, which is that of the one that must end first; undefined without one. */
export function latchedState(latches: readonly StandingLatch[]): StrategyState | undefined {
  const standing = foremostFirst(latches);
  const [first] = standing;
  if (!first) return undefined;
  const state = STATE_OF[first.kind];
  const { reason, since, until } = first;
  const isOfRule = state === 'HALTED' || state === 'REDUCING';
  return { state, figures: { standing }, reason: (isOfRule && reason) || state, since, until: until ?? null };
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
