import type { Decision } from '#domain/decision.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { leftText, STRATEGY_STATES, type StrategyState, type StrategyStateName } from '#domain/strategy-state.ts';
import type { StrategyPlayed } from './seen.ts';

/** What a backtest keeps of a strategy that has no order at a time. */
export interface PlayedSilence {
  /** When the backtest began, ISO 8601. */
  readonly from: string;
  /** True where its end was asked for. */
  readonly isEnd: boolean;
  /** Undefined in what earlier versions kept. */
  readonly came: StrategyPlayed | undefined;
  /** The last row of its last order by then. */
  readonly ordered: Decision | undefined;
}

interface Found {
  readonly answer: string;
  readonly advice: string;
}

/** Why a backtested strategy asked for no order, from what is kept of it. */
export function silentInBacktest(at: Millis, { from, isEnd, came, ordered }: PlayedSilence, last: Decision | undefined): Found {
  const none = ordered
    ? `since order ${ordered.orderId}, ${ordered.kind.replace('_', ' ')} at ${isoTime(ordered.at)}, it asked for no order`
    : `it asked for no order from ${from} to ${isoTime(at)}`;
  const why =
    came && ((isEnd ? stateAtEnd(at, came) : undefined) ?? notAsked(at, came, last?.reason === 'WARMING_UP') ?? wasAsked(isEnd, came));
  return { answer: why ? `${none}: ${why.answer}` : none, advice: why?.advice ?? OWN_RULE };
}

const ASK_FOR_LESS = 'play a longer time, or let warmup() of the strategy ask for less';
const OWN_RULE = 'decide() of the strategy sets the rule';

/** States at the end of the data that keep no strategy back: its lanes have no more quotes. */
const FREE: ReadonlySet<StrategyStateName> = new Set(['RUNNING', 'NO_QUOTES']);

function stateAtEnd(at: Millis, { atEnd: { state, why, until, mend } }: StrategyPlayed): Found | undefined {
  if (FREE.has(state)) return undefined;
  const left = until === null ? '' : `, ${leftText(until - at)}`;
  return { answer: `at the end it was ${state}: ${why === '' ? STRATEGY_STATES[state] : why}${left}`, advice: mendOf(state, mend) };
}

const mendOf = (state: StrategyState['state'], mend: string): string =>
  state === 'WARMING_UP' ? ASK_FOR_LESS : mend.startsWith('it ends by itself') ? 'it ends by itself: play a longer time' : mend;

const UNEMITTED = 'its signals had not emitted';

/** Before it was first asked; `hasWarmed`: whether the journal says that signals came while it was warming up. */
function notAsked(at: Millis, { firstAskedAt, warmUp, atEnd }: StrategyPlayed, hasWarmed: boolean): Found | undefined {
  if (firstAskedAt !== null && at >= firstAskedAt) return undefined;
  const needs = `it was warming up (it sees ${warmUp} first)`;
  const isWarming = hasWarmed || atEnd.state === 'WARMING_UP';
  const why = warmUp === null ? UNEMITTED : isWarming ? needs : `${needs}, or ${UNEMITTED}`;
  if (firstAskedAt !== null) {
    const first = isoTime(firstAskedAt);
    return { answer: `${why}; decide was first called at ${first}`, advice: `--at ${first} or later asks about the time after that` };
  }
  const advice = warmUp !== null && isWarming ? ASK_FOR_LESS : 'signals() brought nothing to decide on: name its values with observe()';
  return { answer: `${why}; decide was never called`, advice };
}

function wasAsked(isEnd: boolean, { asked, firstAskedAt }: StrategyPlayed): Found {
  const first = isoTime(firstAskedAt ?? 0);
  const times = `${asked === 1 ? 'once' : `${asked} times`} in this run, ${asked === 1 ? '' : 'first '}`;
  const called = isEnd ? `decide was called ${times}at ${first}` : `decide was called, first at ${first}`;
  return { answer: `${called}, and wanted none in that time`, advice: OWN_RULE };
}
