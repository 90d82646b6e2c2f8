import { LIMIT_REASONS, type LimitReason } from './limits.ts';

/**
 * Every reason that a decision can carry. Codes are stable: scripts and people rely on them. A journal row has one of
 * these, one of a limit (`limits.ts`), or none. `docs/reference/reasons.md` is made from both lists.
 */
const OWN = {
  // The state of trading
  HALTED: 'trading is halted until a person resumes it',
  DISARMED: 'this configuration was not armed by a person',
  REDUCING: 'only exits pass, until a person arms or resumes trading',
  DISABLED: 'the strategy is disabled until a person enables it',
  PAUSED: 'the strategy, or all of them, are paused',
  OUTSIDE_WINDOW: "the strategy's windows allow no openings at this time",
  // The quote
  QUOTE_WITHOUT_ID: 'the quote is anonymous, so no order can name it',
  QUOTE_TAKEN: 'another order has used this quote',
  QUOTE_PRODUCT_MISMATCH: 'the quote is for another product than its lane',
  QUOTE_SIZE_MISMATCH: "the quote's size is not the lane's amount",
  QUOTE_PRICE: 'a price of the quote is zero, negative or not a number',
  QUOTE_CROSSED: 'the quote buys below the price at which it sells',
  QUOTE_JUMP: 'its price is far from the one before, or the lane is set aside',
  QUOTE_REPEATED: 'the quote was delivered before',
  QUOTE_OLD_EPOCH: 'the quote belongs to an earlier subscription',
  QUOTE_UNSUBSCRIBED: 'the quote came without an acknowledged subscription',
  LANE_STALE: 'quotes stopped for 2 s, or lanes.staleAfter: orders wait for two quotes in time',
  INPUT_STALE: 'an input of the strategy had no quote for ten seconds, or longer than usual: nothing is opened',
  LANE_DOWN: 'the lane has no acknowledged subscription',
  LANE_DISABLED: 'the service refuses the subscription or answers with another; it is requested again',
  LANE_QUARANTINED: 'three bad prices in a row: zero, negative, crossed or far off; ten good ones end it',
  PRODUCT_QUARANTINED: 'a lane of the product brings bad prices: nothing is opened in it',
  CLOCK_UNSURE: "the service's time is too uncertain to tell when a quote expires",
  CLOCK_OLD: "the service's clock was last looked at over five minutes ago",
  CLOCK_STEP: "this machine's wall clock has jumped within the last ten seconds",
  LAG: 'this machine does not keep up: the event loop is late',
  // Sizing
  LANE_POOL_EMPTY: 'every lane of lanes.reserve is in use',
  LANE_WAIT: 'the temporary lane brought no quote within lanes.waitMs',
  DUST: "the position is smaller than the product's least order",
  NO_POSITION: 'there is no position to close',
  POSITION_UNSURE: 'an order of unknown outcome may have closed the position already',
  SIZE_LIMITS: "the size breaks the product's limits",
  SHORT_NOT_ALLOWED: 'the product may not go short',
  // Working an intent
  LAPSED: 'the intent has expired',
  REPLACED: 'the strategy wants something else now',
  LATE_EXECUTION: 'an order of unknown outcome turned out executed, of which the intent did not know',
  NOT_CONFIGURED: 'the configuration has no such strategy or lane any more',
  LEG_FAILED: 'a leg failed, so the legs after it are not tried',
  // Exits
  TAKE_PROFIT: 'the gain reached exits.takeProfitPct',
  STOP_LOSS: 'the loss reached exits.stopLossPct',
  TRAILING_STOP: 'the price came back from its best by exits.trailingPct',
  MAX_HOLD: 'the position was open for exits.maxHoldSeconds',
  // Limits
  PRODUCT_FROZEN: 'an order in this product has an unknown outcome: nothing is opened in it',
  IN_FLIGHT: 'an order of the strategy is in flight in this product',
  EXIT_PAUSE: 'the service rejected the previous exit: a pause of 1, 2, 4 .. 30 s',
  SERVICE_WAIT: 'the service answered 429 and asked to wait',
  NO_RATE: 'a limit is in a currency without a live rate',
  BUDGET: "the strategy's budget does not cover the order",
  INSUFFICIENT_FUNDS: 'the account, less open orders, does not cover the order',
  LIMIT_PRICE: "the price is worse than the intent's limit",
  // Outcomes
  GATE_TIME_LEFT: 'the last gate found too little time before the quote expires',
  GATE_SIGNATURE_AGE: 'the signature was too old at the write',
  GATE_HALTED: 'a stop came between commit and write',
  GATE_CLOCK: "the service's time was not known at the write; nothing was sent",
  NOT_CONNECTED: 'no connection to the service could be opened; nothing was sent',
  HTTP_OK: 'the service answered with success',
  HTTP_REFUSED: 'the service refused the order',
  HTTP_UNAUTHORIZED: 'the service refused key, time or signature',
  HTTP_FORBIDDEN: 'the service refuses this user',
  HTTP_UNREADABLE: 'the service answered with success and an unreadable body',
  HTTP_AMBIGUOUS: 'the answer does not say whether the order was executed',
  NO_ANSWER: 'no answer came in time, or the connection broke after the first byte',
  LATE_ANSWER: 'the answer came after the order was recorded as unknown',
  SERVICE_ASKED: 'the order was queried at the service, which gave its outcome',
  CREATE_UNKNOWN: 'the answer to a create was lost; no other is created until a person settles it',
  CRASH_RECOVERY: 'the process ended while the order was in flight',
  DRILL_FAILED: 'a drill found that a halt does not stop orders',
  BY_PERSON: 'a person said so',
  BY_WEBHOOK: 'the service said so by a webhook',
  BY_RULE: 'a rule of the configuration said so',
  BY_SCHEDULE: 'a line of the schedule said so',
  // The strategy
  STRATEGY_THREW: 'the strategy threw an error',
  STRATEGY_DISABLED: 'the strategy failed three times in a row',
  SOURCE_CHANGED: 'the source of the strategy has changed since it failed',
  STALLED: 'the strategy blocked the process until the watchdog ended it',
  STRATEGY_UNCAUGHT: 'the strategy left an error uncaught',
  STRATEGY_SLOW: 'the strategy exceeded trading.maxStrategyMs five times within a minute',
  STRATEGY_MEMORY: 'memory rose above trading.maxMemoryMb, most of it while the strategy ran',
  OUTSIDE_EVENT: 'the strategy emitted while no event was being handled',
  WARMING_UP: 'the signals of the strategy are still warming up',
  HOLD: 'the strategy says why it does nothing',
  SIGNAL_NAN: 'a signal was not a number, so the strategy did not decide',
  BAD_INTENT: 'the strategy returned something that is not an intent',
  // Trouble
  MAX_DAY_LOSS: 'the loss since the day began (UTC) is more than risk.maxDayLoss',
  MAX_DRAWDOWN: 'the account drawdown reached risk.maxDrawdownPct',
  LOSS_STREAK: 'risk.maxLossStreakOfAll closes in a row lost',
  REJECTION_STREAK: 'risk.maxRejectionStreak orders in a row were rejected',
  PRODUCT_CHANGED: 'the service changed a product of the strategy, or lists it no more',
  PRODUCT_CHECKED: "the service lists the strategy's products again, and its amounts fit",
  RUNAWAY: 'the strategy kept making throttled requests, more than risk.maxThrottledPerMinute',
  START_UNSURE: 'the previous run crashed, or left orders of unknown outcome',
  CRASH_LOOP: 'the daemon crashed as often as trading.crashHalt says',
  MAX_UNKNOWN: 'more openings with unknown outcome than risk.maxUnknown',
  SECOND_UNAUTHORIZED: 'two orders in a row were refused for key, time or signature',
  TOKEN_GONE: 'there was no valid bearer token for a minute, and halt.escalate needs one',
  CERTIFICATE: 'the certificate of the service could not be verified',
  JOURNAL_FAULT: 'the journal or the recording could not be written',
  JOURNAL_BUSY: 'another process held the journal during the commit',
  UNCAUGHT: 'an error was not caught anywhere',
} as const;

/** A code that a decision, a latch or a notice may carry: one of this list or of a limit. */
export type Reason = keyof typeof OWN | LimitReason;

/** The meaning of each code, for people. */
export const REASONS: Readonly<Record<Reason, string>> = { ...OWN, ...LIMIT_REASONS };

const MEANINGS: ReadonlyMap<string, string> = new Map(Object.entries(REASONS));

/** The meaning of a code; null without one, and for a code of another version. */
export const meaningOf = (reason: string | null): string | null => MEANINGS.get(reason ?? '') ?? null;
