import { refusalWords } from './check-words.ts';
import { durationText } from './duration-text.ts';
import { endText, latchesText } from './latch-ends.ts';
import { isLimitReason, LIMIT_SETTINGS } from './limits.ts';
import { isoTime, type Millis } from './names.ts';
import { REASONS, type Reason } from './reasons.ts';
import { settleMend } from './settle-text.ts';
import { type JournaledBlock, type JournaledState, STRATEGY_STATES, type TradingBlock } from './strategy-state.ts';

/** Why there is no order, and what a person does about it; `mend` is empty where nothing has to end. */
interface NoOrderWords {
  readonly why: string;
  readonly mend: string;
}

/** Why no order goes out while rows wait. */
export const JOURNAL_HELD = 'the journal is held by another program';

type Cause = JournaledBlock & { readonly reason: Reason | null };

/**
 * A state in words: the one place that words why a strategy has no order, for terminal, page, alerts and reports. `isPlayed`: in a
 * backtest, where nobody acts and no service is looked at. Texts that earlier versions kept are shown as they are.
 */
export function stateWords(cause: Cause, isPlayed = false): NoOrderWords {
  const { state } = cause;
  const { why, mend } = 'why' in cause ? cause : worded(cause);
  return { why: why || STRATEGY_STATES[state], mend: (isPlayed ? mendPlayed(cause) : undefined) ?? mend };
}

const ITSELF = 'it ends by itself';
const CONNECTION = 'check the connection to the service: kairos doctor';
const QUARANTINE = 'ten good prices in a row end it; kairos quotes shows what comes';

/** What ends a doubt about the time. */
const TIME: Readonly<Partial<Record<Reason, string>>> = {
  CLOCK_STEP: 'it ends by itself; let NTP keep the time of this machine',
  CLOCK_UNSURE: 'kairos doctor looks at the clocks; if answers have no Date header, set clock.source: system',
  CLOCK_OLD: 'kairos doctor looks at the clocks and at the connection',
  LAG: 'give the process more CPU time, or fewer lanes',
};

function worded(cause: TradingBlock & { readonly reason: Reason | null }): NoOrderWords {
  const { state, figures, reason } = cause;
  switch (state) {
    case 'DISABLED':
    case 'HALTED':
    case 'DISARMED':
    case 'PAUSED':
    case 'REDUCING': {
      const [first, ...more] = figures.standing;
      const by = first?.who == null ? '' : ` by ${first.who}`;
      const also = more.length === 0 ? '' : `; also ${latchesText(more)}`;
      return { why: `${state.toLowerCase()}${by}: ${first?.why}${also}`, mend: endText(figures.standing) };
    }
    case 'NO_TIME':
      return { why: reason === null ? '' : REASONS[reason], mend: (reason && TIME[reason]) ?? '' };
    case 'NO_QUOTES':
      return unquoted(figures, reason);
    case 'FROZEN': {
      const { order, product } = figures;
      return { why: `order ${order} in ${product} has an unknown outcome`, mend: `look into the account; ${settleMend(order)}` };
    }
    case 'WAITING':
      return { why: 'the service answered 429', mend: ITSELF };
    case 'NO_RATE': {
      const { setting, has, lacks } = figures;
      const why = `${setting} is in ${has.join(', ')}, and there is no live rate from ${lacks}`;
      return { why, mend: `give the limit in ${lacks} as well, as {${lacks}: N}` };
    }
    case 'NO_FUNDS':
      return unfunded(figures);
    case 'OUTSIDE_WINDOW':
      return { why: figures.why, mend: ITSELF };
    case 'COOLING_DOWN':
      return { why: `${figures.losses} closes in a row lost`, mend: `${ITSELF}, or by kairos resume` };
    case 'WARMING_UP': {
      const { seen, quotes, spanMs } = figures;
      const why = seen < quotes ? `${seen} of ${quotes} quotes seen` : `it sees ${spanMs / 1000} s of quotes first`;
      return { why, mend: ITSELF };
    }
    case 'REFUSED': {
      const { checks, answer } = figures;
      if (!answer) return { why: refusalWords(reason, checks), mend: refusalMend(reason) };
      const { ms, leastMs } = answer;
      const why = `an opening needs ${leastMs + ms} ms, risk.minTimeLeftMs (${leastMs} ms) and the ${ms} ms that an answer of the service took`;
      return { why: `${REASONS.TIME_LEFT}: ${why}`, mend: 'that answer counts for ten minutes; quotes with more time left pass' };
    }
    case 'NO_SIGNAL':
      return { why: figures.why, mend: 'fix the calculation of its signals' };
    case 'RUNNING':
      return { why: '', mend: '' };
  }
}

function unquoted(
  { product, lane, phase, why: said, quoteAt, refused }: Extract<TradingBlock, { state: 'NO_QUOTES' }>['figures'],
  reason: Reason | null,
): NoOrderWords {
  const because = said ? `: ${said}` : '';
  if (reason === null) return { why: `the service does not list ${product}`, mend: 'kairos products shows what it lists' };
  if (reason === 'PRODUCT_QUARANTINED') return { why: `${product}: ${REASONS[reason]}`, mend: QUARANTINE };
  if (reason === 'LANE_QUARANTINED') return { why: `lane ${lane}: ${REASONS[reason]}`, mend: QUARANTINE };
  if (reason === 'LANE_DISABLED')
    return { why: `the service refuses lane ${lane}${because}`, mend: 'change product or amount, then start again' };
  if (reason === 'LANE_DOWN')
    return {
      why: phase === 'new' ? `lane ${lane} was never opened` : `lane ${lane} is ${phase === 'opening' ? 'being opened' : phase}${because}`,
      mend: phase === 'refused' ? 'check product and amount; the service is asked again' : CONNECTION,
    };
  if (reason === 'QUOTE_WITHOUT_ID') return { why: `quotes of lane ${lane} are anonymous`, mend: 'set service.userId (KAIROS_USER_ID)' };
  const mend = `see what comes: kairos quotes ${product} --basic; kairos doctor looks at the connection`;
  if (refused !== undefined) return { why: `quotes of lane ${lane} are not used: ${refused} refused so far, ${REASONS[reason]}`, mend };
  const why = quoteAt === undefined ? 'is open and no quote came' : `has no new quotes: the last came at ${isoTime(quoteAt)}`;
  return { why: `lane ${lane} ${why}`, mend };
}

function unfunded({
  cost,
  currency,
  budgetLeft,
  accountLeft,
  limits,
}: Extract<TradingBlock, { state: 'NO_FUNDS' }>['figures']): NoOrderWords {
  const [budget, account] = [budgetLeft !== undefined, accountLeft !== undefined];
  const facts = [
    ...(budget ? [`${budgetLeft} of its budget is left`] : []),
    ...(account ? [`the account has ${accountLeft} to spend`] : []),
    ...limits.map((one) => `${one.setting} is ${one.limit} ${one.currency}`),
  ];
  const mends = [
    ...(budget ? ['a larger budget, in its entry'] : []),
    ...(account ? ['more in the account (book what came in: kairos ledger add)'] : []),
    ...(limits.length > 0 ? ['larger limits'] : []),
  ];
  const mend = `a smaller amount, or ${mends.length > 1 ? 'all of: ' : ''}${mends.join('; ')}`;
  return { why: `an order costs some ${cost} ${currency}, and ${facts.join(', ')}`, mend };
}

/** What lets an order pass that was refused. */
export function refusalMend(reason: string | null, isPlayed = false): string {
  if (reason === 'BUDGET') return `a larger budget in its entry, or a smaller amount${isPlayed ? ', or play with --limits off' : ''}`;
  if (reason === 'LANE_POOL_EMPTY') return 'wait for a lane to be free, closings first; or raise lanes.reserve';
  if (reason !== null && isLimitReason(reason)) {
    const setting = LIMIT_SETTINGS[reason];
    if (reason.startsWith('MAX_ORDERS_PER_MINUTE')) return `it passes within a minute, or raise ${setting}`;
    if (isPlayed) return 'raise the limit, or play with --limits off';
    if (reason === 'MAX_DAY_VALUE') return `the next day (UTC) begins anew; or raise ${setting}`;
    if (reason.endsWith('_VALUE')) return `take a smaller amount, or raise ${setting}`;
    return `wait for a quote that passes, or change ${setting}`;
  }
  return 'wait for the next quote; what the code means is in docs/reference/reasons.md';
}

/** What ends a state in a backtest, where that is not what ends it live. */
function mendPlayed({ state, reason, ...rest }: Cause): string | undefined {
  switch (state) {
    case 'DISABLED':
      return 'fix the strategy, and play it again';
    case 'HALTED':
    case 'DISARMED':
    case 'PAUSED':
    case 'REDUCING':
      return 'nobody ends it in a backtest: change the limit or the rule that the reason names, or play with --limits off';
    case 'NO_TIME':
      return '';
    case 'NO_QUOTES':
      return reason === 'LANE_STALE'
        ? 'the data has no quotes then, as over a weekend: kairos data gaps lists such times; lanes.staleAfter sets how long a silence may last'
        : '';
    case 'FROZEN':
      return 'its answer came later than service.answerMs: backtest.latency says how late answers are';
    case 'WARMING_UP':
      return 'play a longer time, or let warmup() of the strategy ask for less';
    case 'WAITING':
    case 'OUTSIDE_WINDOW':
    case 'COOLING_DOWN':
      return `${ITSELF}: play a longer time`;
    case 'REFUSED':
      return 'figures' in rest && 'answer' in rest.figures ? undefined : refusalMend(reason, true);
    default:
      return undefined;
  }
}

/** A state in one line, with its beginning and what is left of it: `WARMING_UP since .., 4 min left: 2 of 4 quotes seen`. */
export function stateLine(state: JournaledState, now: Millis): string {
  const { state: name, since, until } = state;
  const began = since === null ? '' : ` since ${isoTime(since)}`;
  return `${name}${began}${until === null ? '' : `, ${leftText(until - now)}`}: ${stateWords(state).why}`;
}

/** The time until something ends, as in `4 min 5 s left`. */
export const leftText = (ms: Millis): string => `${durationText(ms)} left`;
