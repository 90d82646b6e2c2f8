import { controlFiles } from '#adapters/journal/control-files.ts';
import type { StatusReport } from '#adapters/journal/status-report.ts';
import { callDaemon } from '#daemon/operations/daemon-call.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import type { LiveBooks, LiveStrategy } from '#daemon/operations/report/glance.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';
import { STRATEGY_STATES } from '#domain/strategy-state.ts';
import type { TimeState } from '#domain/time-state.ts';

/** What only a running daemon knows. */
interface LiveState {
  readonly time: TimeState;
  readonly today: StatusReport['today'];
  /** Absent if the daemon does not report them. */
  readonly books?: LiveBooks;
  readonly waitingExits: StatusReport['waitingExits'];
  readonly rateWarnings: StatusReport['rateWarnings'];
}

const ANSWER_MS = 1000;

/** The state of the daemon of process `pid`, which holds the journal: the certainty of its time, and its books; null if it does not answer. */
export async function liveState(journalPath: string, pid: number): Promise<LiveState | null> {
  const published = publishedIn(controlFiles(journalPath).ops);
  if (published?.pid !== pid) return null;
  try {
    const { ok, said } = await callDaemon(`${published.url}/api/state`, { withinMs: ANSWER_MS });
    return ok ? stateOf(said) : null;
  } catch {
    // The daemon is busy or has just ended: the journal is the only source.
    return null;
  }
}

/** Reads the control server's answer; null for anything else. */
function stateOf(state: unknown): LiveState | null {
  if (typeof state !== 'object' || state === null || !('time' in state)) return null;
  const time = timeOf(state.time);
  const strategies = 'strategies' in state ? strategiesOf(state.strategies) : undefined;
  const otherBooks = [...('otherBooks' in state ? othersOf(state.otherBooks) : []), ...(strategies ?? []).flatMap(legsOf)];
  const today = 'money' in state ? todayOf(state.money) : null;
  const waitingExits = 'waitingExits' in state ? waitingOf(state.waitingExits) : [];
  const rateWarnings = 'rateWarnings' in state && Array.isArray(state.rateWarnings) ? state.rateWarnings.map(String) : [];
  return time && { time, today, waitingExits, rateWarnings, ...(strategies && { books: { strategies, otherBooks } }) };
}

/** The strategies of a daemon of this version; undefined for anything else. */
function strategiesOf(said: unknown): readonly LiveStrategy[] | undefined {
  if (!Array.isArray(said)) return undefined;
  const found = said.filter(isStrategy);
  return found.length === said.length ? found : undefined;
}

function othersOf(said: unknown): LiveBooks['otherBooks'] {
  if (!Array.isArray(said)) return [];
  return said.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const { id, product, mark }: Readonly<Record<string, unknown>> = { ...one };
    return typeof id === 'string' && typeof product === 'string' && isFigure(mark) ? [{ id, product, mark }] : [];
  });
}

/** What a strategy holds in other products than its own, as other books are told. */
const legsOf = (said: LiveStrategy): LiveBooks['otherBooks'] =>
  'legs' in said && Array.isArray(said.legs) ? othersOf(said.legs.map((leg: object) => ({ ...leg, id: said.id }))) : [];

const TEXTS = ['id', 'product', 'use', 'position'];
const FIGURES = ['mark', 'unrealised'];

function isStrategy(said: unknown): said is LiveStrategy {
  if (typeof said !== 'object' || said === null || !('state' in said)) return false;
  const { state } = said;
  const fields = new Map(Object.entries(said));
  if (!TEXTS.every((name) => typeof fields.get(name) === 'string') || !FIGURES.every((name) => isFigure(fields.get(name)))) return false;
  if (typeof state !== 'object' || state === null || !('name' in state) || !('until' in state) || !('why' in state)) return false;
  return typeof state.name === 'string' && Object.hasOwn(STRATEGY_STATES, state.name);
}

function timeOf(time: unknown): TimeState | null {
  if (typeof time !== 'object' || time === null || !('reason' in time) || !('offsetMs' in time) || !('halfWidthMs' in time)) return null;
  const { reason, offsetMs, halfWidthMs } = time;
  return isReasonOrNull(reason) && isFigure(offsetMs) && isFigure(halfWidthMs) ? { reason, offsetMs, halfWidthMs } : null;
}

function todayOf(money: unknown): LiveState['today'] {
  if (typeof money !== 'object' || money === null) return null;
  if (!('currency' in money) || !('profitOfDay' in money) || !('heldForDayLoss' in money)) return null;
  const { currency, profitOfDay: profit } = money;
  const missing = 'missing' in money && Array.isArray(money.missing) ? money.missing.map(String) : [];
  const laneless = 'laneless' in money && Array.isArray(money.laneless) ? money.laneless.map(String) : [];
  const heldForDayLoss = heldOf(money.heldForDayLoss);
  return typeof currency === 'string' && isFigure(profit) ? { currency, profit, heldForDayLoss, missing, laneless } : null;
}

function heldOf(said: unknown): NonNullable<LiveState['today']>['heldForDayLoss'] {
  if (!Array.isArray(said)) return [];
  return said.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const { currency, profit, isResumed }: Readonly<Record<string, unknown>> = { ...one };
    return typeof currency === 'string' && typeof profit === 'number' ? [{ currency, profit, isResumed: isResumed === true }] : [];
  });
}

function waitingOf(exits: unknown): LiveState['waitingExits'] {
  if (!Array.isArray(exits)) return [];
  return exits.flatMap((exit: unknown) => {
    if (typeof exit !== 'object' || exit === null) return [];
    const { strategy, product, worth, currency }: Readonly<Record<string, unknown>> = { ...exit };
    const isText = [strategy, product, worth, currency].every((one) => typeof one === 'string');
    return isText ? [{ strategy: `${strategy}`, product: `${product}`, worth: `${worth}`, currency: `${currency}` }] : [];
  });
}

const isFigure = (value: unknown): value is number | null => value === null || typeof value === 'number';

const isReasonOrNull = (value: unknown): value is Reason | null =>
  value === null || (typeof value === 'string' && Object.hasOwn(REASONS, value));
