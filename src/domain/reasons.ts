/**
 * Every reason that a decision can carry. Codes are stable: scripts and people rely on them. A row of the journal has
 * one of these or none; `docs/reference/reasons.md` is made from this list and a test keeps the two equal.
 */
export const REASONS = {
  // The state of trading
  HALTED: 'trading is halted until a person resumes it',
  DISABLED: 'the strategy is disabled until a person enables it',
  PAUSED: 'the strategy, or all of them, are paused',
  // The quote
  QUOTE_WITHOUT_ID: 'the quote is anonymous, so no order can name it',
  QUOTE_TAKEN: 'another order has used this quote',
  QUOTE_PRODUCT_MISMATCH: 'the quote is for another product than its lane',
  QUOTE_SIZE_MISMATCH: "the quote's size is not the lane's amount",
  QUOTE_PRICE: 'a price of the quote is zero, negative or not a number',
  QUOTE_CROSSED: 'the quote buys below the price at which it sells',
  QUOTE_REPEATED: 'the quote was delivered before',
  QUOTE_OLD_EPOCH: 'the quote belongs to an earlier subscription',
  QUOTE_UNSUBSCRIBED: 'the quote came without an acknowledged subscription',
  LANE_STALE: 'quotes stopped, or come too seldom to trade on',
  LANE_DOWN: 'the lane has no acknowledged subscription',
  LANE_DISABLED: 'the service answered the subscription with another one, or refused it too often',
  TIME_LEFT: 'the quote has too little time left',
  CLOCK_UNSURE: "the service's time is not known well enough to say how long a quote lives",
  CLOCK_OLD: "the service's clock was last looked at over five minutes ago",
  CLOCK_STEP: "this machine's wall clock has jumped within the last ten seconds",
  LAG: 'this machine does not keep up: the event loop is late',
  // Sizing
  NO_LANE_OF_SIZE: 'no lane offers exactly this amount',
  NO_POSITION: 'there is no position to close',
  SIZE_LIMITS: "the size breaks the product's limits",
  SHORT_NOT_ALLOWED: 'the product may not go short',
  // Working an intent
  LAPSED: 'the time that the intent gave itself is over',
  REPLACED: 'a later intent of the strategy took its place',
  LEG_FAILED: 'a leg of several came to nothing, so the legs after it are not tried',
  // Exits
  TAKE_PROFIT: 'the gain reached exits.takeProfitPct',
  STOP_LOSS: 'the loss reached exits.stopLossPct',
  TRAILING_STOP: 'the price came back from its best by exits.trailingPct',
  MAX_HOLD: 'the position was open for exits.maxHoldSeconds',
  // Limits
  PRODUCT_FROZEN: 'an order in this product has an unknown outcome',
  IN_FLIGHT: 'an order of the strategy is in flight in this product',
  MAX_ORDER_VALUE: 'the order is worth more than risk.maxOrderValue',
  MAX_POSITION_VALUE: 'the position would be worth more than risk.maxPositionValue',
  MAX_ORDERS_PER_MINUTE: 'risk.maxOrdersPerMinute is used up',
  MAX_SPREAD: 'the spread is wider than risk.maxSpreadPct',
  NO_RATE: 'a limit is in a currency for which there is no live rate',
  BUDGET: "the strategy's budget does not cover the order",
  LIMIT_PRICE: "the price is worse than the intent's limit",
  // Outcomes
  GATE_TIME_LEFT: 'the last gate found too little time before the quote dies',
  GATE_SIGNATURE_AGE: 'the signature was too old at the write',
  GATE_HALTED: 'trading was halted between commit and write',
  GATE_CLOCK: "the service's time was not known at the write; nothing was sent",
  NOT_CONNECTED: 'no connection to the service could be had; nothing was sent',
  HTTP_OK: 'the service answered with success',
  HTTP_REFUSED: 'the service refused the order',
  HTTP_UNAUTHORIZED: 'the service refused key, time or signature',
  HTTP_FORBIDDEN: 'the service refuses this user',
  HTTP_UNREADABLE: 'the service answered with success and a body that cannot be read',
  HTTP_AMBIGUOUS: 'the answer does not say whether the order was executed',
  NO_ANSWER: 'no answer came in time, or the connection broke after the first byte',
  LATE_ANSWER: 'the answer came after the order was taken for unknown',
  CRASH_RECOVERY: 'the process ended while the order was on its way',
  BY_PERSON: 'a person said so',
  BY_SCHEDULE: 'a line of the schedule said so',
  // The strategy
  STRATEGY_THREW: 'the strategy threw an error',
  STRATEGY_DISABLED: 'the strategy threw three times in a row',
  STALLED: 'the process stood still in the code of the strategy until its watchdog ended it',
  OUTSIDE_EVENT: 'the strategy emitted while no event was being handled',
  WARMING_UP: 'the strategy has not seen as much as its signals need',
  HOLD: 'the strategy says why it does nothing',
  BAD_INTENT: 'the strategy returned something that is not an intent',
  // Trouble
  MAX_UNKNOWN: 'more orders with unknown outcome than risk.maxUnknown',
  SECOND_UNAUTHORIZED: 'two orders in a row were refused for key, time or signature',
  CERTIFICATE: 'the service could not prove who it is',
  JOURNAL_FAULT: 'the journal or the recording could not be written',
  JOURNAL_BUSY: 'another process held the journal during the commit',
  UNCAUGHT: 'an error was caught nowhere',
} as const;

export type Reason = keyof typeof REASONS;
