import { refusalWords } from '#domain/check-words.ts';
import { allowText } from '#domain/closing-wait.ts';
import type { Decision, DecisionKind } from '#domain/decision.ts';
import { durationText } from '#domain/duration-text.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { leftText, refusalMend, stateLine, stateWords } from '#domain/no-order-words.ts';
import { type JournaledState, latchedState } from '#domain/strategy-state.ts';
import { waitingText } from '#domain/waiting-text.ts';
import type { WhyNotAnswer } from '#domain/why-not.ts';
import { describeDecision } from './decision-words.ts';
import { coded, type HistoryLine, signalTexts } from './order-words.ts';
import type { PlayedSilence, Silence } from './silence.ts';
import type { LaneSnapshot } from './strategy-snapshot.ts';

interface Explanation {
  readonly answer: string;
  readonly advice: string;
}

/** Why there was no order, what to do about it, and further facts. */
export function whyNotAnswer(silence: Silence): WhyNotAnswer {
  const state = silence.run === undefined ? undefined : stateOf(silence);
  const { answer, advice } = found(silence, state);
  const told = `${silence.unrefused ? 'nothing was refused; ' : ''}${thrownWords(silence, answer)}${answer}`;
  const facts = [...lastLines(silence), ...seenLines(silence)].map(([about, text]) => ({ about, text }));
  const { strategy, at, run = null } = silence;
  return { strategy, at: isoTime(at), run, state: state?.state ?? null, answer: told, advice, facts };
}

/** States in which nothing is closed: what is due waits for their end. */
const CLOSES_NOTHING: ReadonlySet<string> = new Set(['HALTED', 'DISARMED']);

/** What is due and not closed yet comes before what keeps the strategy from opening. */
function found(silence: Silence, state: JournaledState | undefined): Explanation {
  const cause = causeOf(silence, state);
  const { seen } = silence;
  if (typeof seen === 'string' || seen.closings.length === 0 || CLOSES_NOTHING.has(state?.state ?? '')) return cause;
  const due = seen.closings.map(({ product, due, why }) => `its position in ${product} is to be closed (${due}): ${why}`);
  const advice = seen.closings.map(({ reason, command }) =>
    command !== null ? allowText(command) : reason === null ? 'wait' : refusalMend(reason),
  );
  const isTold = state !== undefined;
  return {
    answer: [...due, ...(isTold ? [cause.answer] : [])].join('; '),
    advice: [...new Set([...advice, ...(isTold ? [`for openings: ${cause.advice}`] : [])])].join('; '),
  };
}

/** Its state, an order on its way, what it said or was refused last, or what it waits for. */
function causeOf(silence: Silence, state: JournaledState | undefined): Explanation {
  const { at, strategy, run, open, played } = silence;
  if (run === undefined) return { answer: `no daemon ran at ${isoTime(at)}`, advice: 'kairos journal runs shows when one did' };
  const told = state && { answer: `it was ${stateLine(state, at)}`, advice: stateWords(state, played !== undefined).mend || 'wait' };
  if (told && state.state !== 'REFUSED') return told;
  const own = open.find((order) => order.strategy === strategy);
  if (own)
    return {
      answer: `its order ${own.order_id} was on its way; the strategy is not asked meanwhile`,
      advice: `kairos why ${own.order_id} shows its outcome`,
    };
  return said(silence, state && told ? { state, ...told } : undefined) ?? told ?? quiet(silence);
}

/** States at the end of the data that keep no strategy back: its lanes have no more quotes. */
const isFree = ({ state }: JournaledState): boolean => state === 'RUNNING' || state === 'NO_QUOTES';

/** What kept it from trading: a latch, what was seen, or what rows tell where nothing was. */
function stateOf({ latches, seen, open, blocked, played }: Silence): JournaledState | undefined {
  const latched = latchedState(latches);
  if (latched) return latched;
  if (typeof seen !== 'string') return seen.state.state === 'RUNNING' ? undefined : seen.state;
  const lost = open.find(({ state }) => state === 'unknown');
  if (lost) {
    const figures = { order: lost.order_id, product: lost.product };
    return { state: 'FROZEN', figures, reason: 'PRODUCT_FROZEN', since: Date.parse(lost.intent_at), until: null };
  }
  const atEnd = played?.isEnd ? played.came?.atEnd : undefined;
  if (atEnd) return isFree(atEnd) ? undefined : atEnd;
  if (blocked?.kind !== 'blocked' || !blocked.detail.on) return undefined;
  const { since, until = null, ...cause } = blocked.detail;
  return { ...cause, reason: blocked.reason, since: Date.parse(since), until: until === null ? null : Date.parse(until) };
}

/** Failures that decisions in between hide: told first, and not twice where the answer has the last one. */
function thrownWords({ thrown }: Silence, answer: string): string {
  if (!thrown) return '';
  const isSaid = answer.includes(thrown.error);
  if (isSaid && thrown.times === 1) return '';
  return `it failed ${timesText(thrown.times)} in this run${isSaid ? '' : `, last at ${thrown.at}: ${thrown.error}`}; `;
}

/** `once`, `3 times`. */
export const timesText = (times: number): string => (times === 1 ? 'once' : `${times} times`);

/** A refusal, or a word of the strategy, that was the last that happened to it. `on`: refusals that go on, whose figures are newer than its row. */
function said(
  { last, seen, played }: Silence,
  on: (Pick<Explanation, 'advice'> & { readonly state: JournaledState }) | undefined,
): Explanation | undefined {
  const isLater = typeof seen !== 'string' && seen.asked?.said === 'nothing' && seen.asked.at > (last?.at ?? 0);
  if (isLater || !last) return undefined;
  if (last.kind === 'refused') {
    const { intent, checks } = last.detail;
    const wanted = `it wanted to ${intent.side} ${intent.wants} (${intent.why}) and was refused`;
    if (!on) {
      const why = `${refusalWords(last.reason, checks)}; ${coded(last)}`;
      return { answer: `${wanted}: ${why}`, advice: refusalMend(last.reason, played !== undefined) };
    }
    const { reason, since } = on.state;
    if (reason !== last.reason) return undefined;
    const began = since === null ? '' : ` since ${isoTime(since)}`;
    return { answer: `${wanted}${began}: ${stateWords(on.state).why}`, advice: on.advice };
  }
  // While its signals warm up, its state says so, and what is left.
  if (last.kind === 'hold' && last.reason !== 'WARMING_UP')
    return { answer: `the strategy itself gives the reason: ${last.detail.why}`, advice: 'this is a rule of the strategy' };
  if (last.kind !== 'threw') return undefined;
  return { answer: `it failed: ${last.detail.error}`, advice: 'fix the strategy; three failures in a row disable it' };
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

function quiet({ at, strategy, seen, last, played, unrefused }: Silence): Explanation {
  const planned = last && (typeof seen === 'string' || seen.asked?.said === 'intent') ? PLANNED[last.kind] : undefined;
  if (last && planned !== undefined && last.orderId === null) {
    return { answer: `it did ask; at ${isoTime(last.at)} ${planned.came}: ${describeDecision(last)}`, advice: planned.advice };
  }
  if (played) return quietInBacktest(at, played, last);
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
  const [wanted] = seen.wanted;
  if (wanted) return { answer: `it ${waitingText(wanted)}`, advice: TRIED };
  return {
    answer: `it was last asked at ${isoTime(asked.at)} and asked for no order: ${shown}, ${held}`,
    advice: 'decide() of the strategy sets the rule: with these values and this position it waits',
  };
}

const OWN_RULE = 'decide() of the strategy sets the rule';

/** Why a backtested strategy asked for no order, from what is kept of it. */
function quietInBacktest(at: Millis, { from, isEnd, came, ordered }: PlayedSilence, last: Decision | undefined): Explanation {
  const none = ordered
    ? `since order ${ordered.orderId}, ${ordered.kind.replace('_', ' ')} at ${isoTime(ordered.at)}, it asked for no order`
    : `it asked for no order from ${from} to ${isoTime(at)}`;
  if (!came) return { answer: none, advice: OWN_RULE };
  const { asked, firstAskedAt, warmUp, atEnd } = came;
  const first = firstAskedAt === null ? undefined : isoTime(firstAskedAt);
  if (firstAskedAt !== null && at >= firstAskedAt) {
    const called = isEnd ? `called ${timesText(asked)} in this run, first at ${first}` : `called, first at ${first}`;
    return { answer: `${none}: decide was ${called}, and wanted none in that time`, advice: OWN_RULE };
  }
  const isWarming = warmUp !== null && (last?.reason === 'WARMING_UP' || atEnd.state === 'WARMING_UP');
  const needs = warmUp === null ? [] : [`it was warming up (it sees ${warmUp} first)`];
  const why = [...needs, ...(isWarming ? [] : ['its signals had not emitted'])].join(', or ');
  const called = first === undefined ? 'decide was never called' : `decide was first called at ${first}`;
  const advice = isWarming
    ? 'let warmup() of the strategy ask for less'
    : 'signals() brought nothing to decide on: name its values with observe()';
  return {
    answer: `${none}: ${why}; ${called}`,
    advice: first === undefined ? advice : `--at ${first} or later asks about the time after that`,
  };
}

function lastLines({ last }: Silence): HistoryLine[] {
  if (!last) return [['journal', 'it has no row: a decision that asks for no order is not journaled']];
  const reason = last.reason === null ? '' : `: ${coded(last)}`;
  const repeated = last.kind === 'refused' || last.kind === 'hold' ? last.detail.repeated : undefined;
  const times = repeated === undefined ? '' : `, the last of ${repeated} times`;
  return [['journal', `last ${last.kind} at ${isoTime(last.at)}${reason}${times}`]];
}

function seenLines({ seen, at, played }: Silence): HistoryLine[] {
  if (typeof seen === 'string') return [[played ? 'note' : 'recording', seen]];
  const { lane, asked, times, nextTimer, observed, sameSource, state } = seen;
  const lines: HistoryLine[] = [
    ['state', state.state],
    ['lane', laneText(lane, at)],
  ];
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

/** A lane that is opened again has its last trouble still. */
const phaseWord = ({ phase, why }: LaneSnapshot): string =>
  phase === 'acked' ? 'open' : phase === 'opening' && why !== '' ? 'down' : phase;

function laneText(seen: LaneSnapshot, at: Millis): string {
  const { lane, phase, since, quotes, lastMinute } = seen;
  const state = phase === 'new' || since === undefined ? 'never opened' : `${phaseWord(seen)} for ${durationText(at - since)}`;
  return `${lane}: ${state}, ${quotes} quotes in this run, ${lastMinute} in the minute before`;
}
