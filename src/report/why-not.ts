import { refusalWords } from '#domain/check-words.ts';
import type { Decision, DecisionKind, DecisionOf } from '#domain/decision.ts';
import { durationText } from '#domain/duration-text.ts';
import type { Latch } from '#domain/event.ts';
import { endText, foremostFirst } from '#domain/latch-ends.ts';
import { isLimitReason, paceMend } from '#domain/limits.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { REASONS } from '#domain/reasons.ts';
import { leftText, mendHere, STRATEGY_STATES } from '#domain/strategy-state.ts';
import type { WhyNotAnswer } from '#domain/why-not.ts';
import { describeDecision } from './decision-words.ts';
import { type Line, signalTexts } from './order-words.ts';
import { type PlayedSilence, silentInBacktest } from './played-silence.ts';
import type { LaneSeen, StrategySeen } from './seen.ts';

/** Everything known of a strategy at an instant without an order. */
export interface Silence {
  readonly at: Millis;
  readonly strategy: string;
  /** The run that was on, if one was. */
  readonly run: string | undefined;
  /** True for a run that was a backtest: nobody acts in it, and nothing of it is recorded. */
  readonly isBacktest?: boolean;
  /** What a backtest keeps of it beside its decisions. */
  readonly played?: PlayedSilence;
  /** True where the last refusal was asked for, and there was none. */
  readonly unrefused?: boolean;
  readonly latches: readonly Latch[];
  /** Orders in its product whose outcome was open. */
  readonly open: readonly { readonly order_id: string; readonly strategy: string; readonly state: string; readonly intent_at: string }[];
  /** The last decision about it, at the instant or before. */
  readonly last: Decision | undefined;
  /** The run's last decision on whether it could trade. */
  readonly blocked?: Decision | undefined;
  /** What its code threw in that run. */
  readonly thrown?: { readonly times: number; readonly at: string; readonly error: string } | null;
  /** What it saw, or why that is unknown. */
  readonly seen: StrategySeen | string;
}

/** Why there was no order, what to do about it, and further facts. */
interface WhyNot {
  readonly answer: string;
  readonly advice: string;
  readonly lines: readonly Line[];
}

/** The answer about a silence, with its facts. */
export function whyNotAnswer(silence: Silence): WhyNotAnswer {
  const { answer, advice, lines } = whyNot(silence);
  const facts = lines.map(([about, text]) => ({ about, text }));
  return { strategy: silence.strategy, at: isoTime(silence.at), run: silence.run ?? null, answer, advice, facts };
}

/** Finds the cause: the first of these rules that applies. */
export function whyNot(silence: Silence): WhyNot {
  const found =
    stopped(silence) ??
    unsettled(silence) ??
    unquoted(silence) ??
    refused(silence) ??
    unable(silence) ??
    laneTrouble(silence) ??
    quiet(silence);
  return {
    ...found,
    answer: `${silence.unrefused ? 'nothing was refused; ' : ''}${thrownWords(silence, found.answer)}${found.answer}`,
    lines: [...lastLines(silence), ...seenLines(silence)],
  };
}

/** Failures that decisions in between hide: told first, and not twice where the answer has the last one. */
function thrownWords({ thrown }: Silence, answer: string): string {
  if (!thrown) return '';
  const isSaid = answer.includes(thrown.error);
  if (isSaid && thrown.times === 1) return '';
  return `it failed ${timesText(thrown.times)} in this run${isSaid ? '' : `, last at ${thrown.at}: ${thrown.error}`}; `;
}

const timesText = (times: number): string => (times === 1 ? 'once' : `${times} times`);

type Found = Pick<WhyNot, 'answer' | 'advice'>;

const PLAY_AGAIN = 'nobody ends it in a backtest: change the limit or the rule that the reason names, or play with --limits off';

const playAgain = (latches: readonly Latch[]): string =>
  latches.every(({ kind }) => kind === 'disabled') ? 'mend the strategy, and play it again' : PLAY_AGAIN;

function stopped({ at, strategy, run, latches, isBacktest }: Silence): Found | undefined {
  if (run === undefined) return { answer: `no daemon ran at ${isoTime(at)}`, advice: 'kairos journal runs shows when one did' };
  if (latches.length === 0) return undefined;
  const words = {
    halted: 'trading was halted',
    disarmed: 'trading was disarmed',
    reducing: 'only exits were allowed',
    paused: 'openings were paused',
    disabled: `${strategy} was disabled`,
  };
  return {
    answer: foremostFirst(latches)
      .map(({ kind, since, who, why }) => `${words[kind]} at ${isoTime(since)} by ${who}: ${why}`)
      .join('; '),
    advice: isBacktest ? playAgain(latches) : endText(latches),
  };
}

function unsettled({ strategy, open, isBacktest }: Silence): Found | undefined {
  const lost = open.find(({ state }) => state === 'unknown');
  if (lost) {
    const answer = `nothing was opened in its product, and only what was certain closed: order ${lost.order_id} of ${lost.strategy} has an unknown outcome since ${lost.intent_at}`;
    const settle = `look into the account, then kairos journal resolve ${lost.order_id} --as accepted or rejected`;
    return {
      answer,
      advice: isBacktest ? 'its answer came later than service.answerMs: backtest.latency says how late answers are' : settle,
    };
  }
  const own = open.find((order) => order.strategy === strategy);
  if (!own) return undefined;
  return {
    answer: `its order ${own.order_id} was on its way; the strategy is not asked meanwhile`,
    advice: `kairos why ${own.order_id} tells what came of it`,
  };
}

/** A time of a backtest without quotes, such as a weekend. */
function unquoted({ isBacktest, blocked }: Silence): Found | undefined {
  if (!isBacktest || blocked?.kind !== 'blocked' || !blocked.detail.on || blocked.reason !== 'LANE_STALE') return undefined;
  return { answer: silentText(blocked.detail), advice: blocked.detail.mend };
}

/** Advice on refusals that are not by a limit. */
const ADVICE: Readonly<Record<string, string>> = {
  LANE_STALE:
    'wait for the next quote; the service sends two a second, and if quotes come less often, lanes.staleAfter sets how long a silence may last (docs/risk.md)',
};

const BACKTEST_ADVICE: Readonly<Record<string, string>> = {
  LANE_STALE: 'the data had no newer quote; lanes.staleAfter sets how long a silence may last (docs/risk.md)',
};

/** What ends the state that goes with a refusal, where it still stands. */
function mendOf({ seen, strategy }: Pick<Silence, 'seen' | 'strategy'>, reason: string | null): string | undefined {
  if (typeof seen === 'string' || reason === null || seen.state.reason !== reason) return undefined;
  return mendHere(seen.state, strategy) || undefined;
}

/** A refusal, or a word of the strategy, that was the last that happened to it. */
function refused(silence: Silence): Found | undefined {
  const { strategy, last, seen, isBacktest } = silence;
  const later = typeof seen !== 'string' && seen.asked?.said === 'nothing' && seen.asked.at > (last?.at ?? 0);
  if (later || !last) return undefined;
  if (last.kind === 'refused') {
    const { intent, checks } = last.detail;
    return {
      answer: `it wanted to ${intent.side} ${intent.wants} (${intent.why}) and was refused: ${refusalWords(last.reason, checks)}; ${meaning(last)}`,
      advice:
        paceMend(last.reason) ??
        mendOf({ seen, strategy }, last.reason) ??
        (isBacktest ? BACKTEST_ADVICE : ADVICE)[last.reason ?? ''] ??
        (last.reason !== null && isLimitReason(last.reason)
          ? 'wait for a quote that passes, or change the limit that the code names (docs/reference/settings.md)'
          : 'wait for the next quote; what the code means is in docs/reference/reasons.md'),
    };
  }
  // A lane that went down since the strategy held is what keeps it from trading now.
  if (last.kind === 'hold' && typeof seen !== 'string' && seen.state.state === 'NO_QUOTES') return laneTrouble(silence);
  // While its signals warm up, its state says so, and what is left.
  if (last.kind === 'hold' && last.reason !== 'WARMING_UP')
    return { answer: `the strategy itself gives the reason: ${last.detail.why}`, advice: 'this is a rule of the strategy' };
  if (last.kind !== 'threw') return undefined;
  return { answer: `it failed: ${last.detail.error}`, advice: 'fix the strategy; three failures in a row disable it' };
}

/** A state of the strategy that prevents openings, with its time left. Lanes are checked below. */
function unable({ at, strategy, seen, last }: Silence): Found | undefined {
  if (typeof seen === 'string' || seen.state.state === 'RUNNING' || seen.state.state === 'NO_QUOTES') return undefined;
  const { state, why, until, reason } = seen.state;
  const advice = paceMend(reason) ?? (mendHere(seen.state, strategy) || 'wait');
  const left = until === null ? '' : `, ${leftText(until - at)}`;
  const figures = last?.kind === 'refused' && last.reason === reason ? ` (at last ${refusalWords(reason, last.detail.checks)})` : '';
  return { answer: `it was ${state}: ${why === '' ? STRATEGY_STATES[state] : why}${figures}${left}`, advice };
}

function laneTrouble({ at, seen }: Silence): Found | undefined {
  if (typeof seen === 'string') return undefined;
  const { lane, phase, why, since: began, quote, quoteAt, staleMs } = seen.lane;
  // It is asked for again and again: its last change is one of these tries.
  if (seen.state.reason === 'LANE_DISABLED') return { answer: seen.state.why, advice: seen.state.mend };
  const since = began === undefined ? '' : ` since ${isoTime(began)}`;
  if (phase === 'new') return { answer: `lane ${lane} was never opened`, advice: 'lanes open at lanes.opensPerSecond after the start' };
  if (phase !== 'acked') {
    return {
      answer: `lane ${lane} was ${phaseWord(seen.lane)}${since}${why === '' ? '' : `: ${why}`}`,
      advice:
        phase === 'disabled' || phase === 'refused'
          ? 'check product and amount; it is asked again until the service acknowledges it'
          : 'check the connection to the service',
    };
  }
  if (!quote)
    return { answer: `lane ${lane} is acknowledged${since}, and no quote came`, advice: 'the service may not quote this product now' };
  if (quoteAt === undefined || at - quoteAt <= staleMs) return undefined;
  return {
    answer: `quotes had stopped: the last of lane ${lane} came at ${isoTime(quoteAt)}, ${durationText(at - quoteAt)} before`,
    advice: 'check the connection to the service, and that the daemon was running',
  };
}

const TRIED = 'each leg is tried on the quotes of its lane until its time is over; kairos journal tail -f shows what comes of it';
const OF_INTENT = '`within` of the intent sets how long it is tried (docs/strategies.md)';

/** Rows of a plan without an order: what came of it, and what to do. */
const PLANNED: { readonly [Kind in DecisionKind]?: { readonly came: string; readonly advice: string } } = {
  working: { came: 'it began, and no order has come of it', advice: TRIED },
  leg_failed: { came: 'a leg came to nothing without a try', advice: OF_INTENT },
  lapsed: { came: 'its time was over', advice: OF_INTENT },
  withdrawn: { came: 'it was withdrawn', advice: 'what the code means is in docs/reference/reasons.md' },
};

function quiet({ at, strategy, seen, last, played, unrefused }: Silence): Found {
  const planned = last && (typeof seen === 'string' || seen.asked?.said === 'intent') ? PLANNED[last.kind] : undefined;
  if (last && planned !== undefined && last.orderId === null) {
    return { answer: `it did ask; at ${isoTime(last.at)} ${planned.came}: ${describeDecision(last)}`, advice: planned.advice };
  }
  if (played) return silentInBacktest(at, played, last);
  if (typeof seen === 'string') {
    const none = unrefused ? '' : 'the journal has no refusal: ';
    return { answer: `${none}the strategy asked for no order`, advice: `what it saw is not known: ${seen}` };
  }
  const { asked, observed, lane, nextTimer } = seen;
  const values = signalTexts(observed);
  if (!asked) {
    const timer = nextTimer === undefined ? '' : `; its timer fires next at ${isoTime(nextTimer)}, ${leftText(nextTimer - at)}`;
    return {
      answer: `its signals have not emitted since ${last?.reason === 'WARMING_UP' ? 'it is warm' : 'the run began'}, in ${lane.quotes} quotes, so ${strategy} was never asked${timer}`,
      advice: values.length > 0 ? `it stands at ${values.join(', ')}` : 'name values with observe() to see how far they are from a signal',
    };
  }
  const held = asked.position === 0 ? 'flat' : `holding ${asked.position}`;
  const shown = signalTexts({ ...asked.observed, signal: asked.signal }).join(', ');
  if (asked.said === 'intent' && last?.orderId) {
    return {
      answer: `it did act: order ${last.orderId} was ${last.kind} at ${isoTime(last.at)}`,
      advice: `kairos why ${last.orderId} tells its story`,
    };
  }
  return {
    answer: `it was last asked at ${isoTime(asked.at)} and asked for no order: ${shown}, ${held}`,
    advice: 'decide() of the strategy sets the rule: with these values and this position it waits',
  };
}

function lastLines({ last }: Silence): Line[] {
  if (!last) return [['journal', 'it has no row: a decision that asks for no order is not journaled']];
  const reason = last.reason === null ? '' : `: ${meaning(last)}`;
  const repeated = last.kind === 'refused' || last.kind === 'hold' ? last.detail.repeated : undefined;
  const times = repeated === undefined ? '' : `, the last of ${repeated} times`;
  return [['journal', `last ${last.kind} at ${isoTime(last.at)}${reason}${times}`]];
}

function seenLines({ seen, at, blocked, isBacktest }: Silence): Line[] {
  const silent: Line[] =
    blocked?.kind === 'blocked' && blocked.detail.on
      ? [['silent', `${silentText(blocked.detail)}${isBacktest ? '' : `; ${blocked.detail.mend}`}`]]
      : [];
  if (typeof seen === 'string') return [...silent, [isBacktest ? 'note' : 'recording', seen]];
  const { lane, asked, times, nextTimer, observed, sameSource, state } = seen;
  const left = state.until === null ? '' : `, ${leftText(state.until - at)}`;
  const lines: Line[] = [['state', `${state.state}${left}`], ...silent, ['lane', laneText(lane, at)]];
  if (lane.quote && lane.quoteAt !== undefined) {
    const { buy, sell, validUntil } = lane.quote;
    const until = validUntil > at ? `valid until ${isoTime(validUntil)}` : 'no longer valid';
    lines.push(['quote', `buys at ${buy.price}, sells at ${sell.price}, size ${sell.size}, at ${isoTime(lane.quoteAt)}, ${until}`]);
  }
  if (Object.keys(observed).length > 0) lines.push(['values', signalTexts(observed).join(', ')]);
  lines.push(['asked', asked ? `${timesText(times)}, last at ${isoTime(asked.at)}` : 'never']);
  if (nextTimer !== undefined) lines.push(['timer', `fires next at ${isoTime(nextTimer)}`]);
  if (!sameSource) lines.push(['note', 'the strategy has changed since: this is its answer of today']);
  return lines;
}

const silentText = ({ since, why }: DecisionOf<'blocked'>['detail']): string => `it could not trade since ${since}: ${why}`;

/** A lane that is opened again has its last trouble still. */
const phaseWord = ({ phase, why }: LaneSeen): string => (phase === 'acked' ? 'open' : phase === 'opening' && why !== '' ? 'down' : phase);

function laneText(seen: LaneSeen, at: Millis): string {
  const { lane, phase, since, quotes, lastMinute } = seen;
  const state = phase === 'new' || since === undefined ? 'never opened' : `${phaseWord(seen)} for ${durationText(at - since)}`;
  return `${lane}: ${state}, ${quotes} quotes in this run, ${lastMinute} in the minute before`;
}

function meaning({ reason }: Decision): string {
  return reason === null ? '' : `${reason}, ${REASONS[reason] ?? 'a code that this version does not know'}`;
}
