import { nextTime } from '#core/schedule/due-times.ts';
import type { ActionDetail } from '#domain/decision.ts';
import type { ActionAnswer, InboxEvent } from '#domain/event.ts';
import { isoTime, type Millis, type StrategyId, strategyId } from '#domain/names.ts';
import { type ActionArguments, type DueLine, dealtWith, type PastLine, type ScheduledAction, STILL_RUNS } from '#domain/schedule.ts';
import type { Notice } from '#ports/notice.ts';
import type { EngineContext } from './engine-context.ts';
import type { ManualOrders } from './manual-orders.ts';
import type { OutsideAction } from './outside-act.ts';

/** Who asked for an action. */
interface By {
  readonly reason: 'BY_SCHEDULE' | 'BY_PERSON' | 'HALTED';
  readonly who: string;
  readonly why: string;
}

type Detail = Omit<ActionDetail, 'status'>;

/** Deadline of the request that a halt sends to the service, in milliseconds. */
const ESCALATION_MS = 60_000;

type Needs = Pick<EngineContext, 'act' | 'escalateHalt' | 'log' | 'notice' | 'schedule' | 'state'>;

/**
 * Carries out the schedule's lines as they fall due, and passes a halt on to the service: journaled as asked, and again as
 * answered. No time of a line comes twice, and a line does not overlap itself.
 */
export class ScheduledActions {
  private readonly context: Needs;
  private readonly manual: ManualOrders;
  /** Requests to the outside without an answer so far. */
  private readonly asked = new Map<string, { readonly detail: Detail; readonly by: By }>();
  private count = 0;
  /** The id of the action that a person asked for last. */
  lastOfPerson: string | undefined;
  wasHalted = false;

  constructor(context: Needs, manual: ManualOrders) {
    this.context = context;
    this.manual = manual;
  }

  /** True while an answer of the outside is waited for. */
  get isAsking(): boolean {
    return this.asked.size > 0;
  }

  /** A run begins: the lines are journaled with their next times, from where earlier runs left them. Nothing of them is asked again. */
  start(past: readonly PastLine[], unanswered: readonly ActionDetail[]): void {
    const { schedule, log } = this.context;
    for (const action of unanswered) this.neverHeard(action);
    if (schedule.length === 0) return;
    const upTo = dealtWith(schedule, past, log.now);
    const lines = schedule.map(({ name, cron, timezone, action }) => {
      const from = upTo.get(name) ?? log.now;
      const next = nextTime(cron, from, timezone);
      return { name, cron, timezone, action, upTo: isoTime(from), next: next === undefined ? null : isoTime(next) };
    });
    log.commit(log.make('scheduled', { lines }));
  }

  due(line: DueLine): void {
    const { notice } = this.context;
    const { name, missed } = line;
    if (line.by) return this.byPerson(line, line.by);
    const by: By = { reason: 'BY_SCHEDULE', who: 'schedule', why: name };
    const detail = { ...this.detailOf(line), ...(missed && { response: missed.why, missed: missed.policy }) };
    if (missed && missed.policy !== 'run') return this.skipped(detail, by, missed.policy === 'alert' ? 'error' : 'info');
    if (this.isBusy(name)) return this.skipped({ ...detail, response: STILL_RUNS }, by, 'error');
    if (missed) notice('warn', `schedule ${name}: ${line.action} ${missed.why}`);
    this.carryOut(line.action, detail, { by, deadlineMs: line.deadlineMs });
  }

  /** A person wants a line done now: its times stay what they are. */
  private byPerson(line: DueLine, person: { readonly who: string; readonly why: string }): void {
    const by: By = { reason: 'BY_PERSON', ...person };
    const detail = { ...this.detailOf(line), ...person };
    this.lastOfPerson = detail.actionId;
    if (this.isBusy(line.name)) return this.skipped({ ...detail, response: STILL_RUNS }, by, 'error');
    this.carryOut(line.action, detail, { by, deadlineMs: line.deadlineMs });
  }

  /** To be called after an event that began or ended a halt: one that it brought is passed on once, one of an earlier run where that was not done. */
  passOnHalt(event: InboxEvent): void {
    const { state, escalateHalt, log } = this.context;
    this.wasHalted = state.isHalted;
    if (!this.wasHalted || !escalateHalt || (event.kind === 'start' && event.facts.haltPassedOn !== false)) return;
    const line = { name: 'halt', action: 'remote.pauseAll', arguments: {}, dueAt: log.now } as const;
    const by: By = { reason: 'HALTED', who: 'kairos', why: 'halt' };
    this.ask('remote.pauseAll', this.detailOf(line), { by, deadlineMs: ESCALATION_MS });
  }

  /** 202 means asked, not done: the status stays `asked` until the last answer says whether the effect was read back. */
  answered(answer: ActionAnswer): void {
    const { actionId, status, httpStatus, response, more = false } = answer;
    const asked = this.asked.get(actionId);
    if (!asked) return;
    const { detail, by } = asked;
    if (!more) this.asked.delete(actionId);
    this.keep({ ...detail, status, httpStatus, response }, by);
    const said = [httpStatus === null ? '' : `answered ${httpStatus}`, response].filter(Boolean).join(' ');
    this.context.notice(levelOf(answer), `${nameOf(detail, by)}: ${detail.action} ${status}${said && `: ${said}`}`);
  }

  private detailOf({ name, action, dueAt, arguments: given }: Omit<DueLine, 'deadlineMs' | 'missed'>): Detail {
    const { log } = this.context;
    this.count += 1;
    return {
      actionId: `${log.inboxSeq}-${this.count}`,
      name,
      action,
      arguments: argumentsAt(given, dueAt, log.now),
      dueAt: isoTime(dueAt),
      askedAt: isoTime(log.now),
      httpStatus: null,
      response: '',
    };
  }

  private isBusy(name: string): boolean {
    return [...this.asked.values()].some(({ detail, by }) => detail.name === name && by.reason !== 'HALTED');
  }

  private carryOut(action: ScheduledAction, detail: Detail, asking: { readonly by: By; readonly deadlineMs: Millis }): void {
    const { state } = this.context;
    const { by } = asking;
    const strategy = strategyIn(detail);
    switch (action) {
      case 'bot.halt':
        state.halt(by.reason, by.who, by.why);
        return this.done(detail, by);
      case 'bot.resume':
        return this.resume(detail, by, strategy);
      case 'bot.pause':
        state.pause(strategy, by);
        return this.done(detail, by, `paused ${strategy ?? 'all strategies'}`);
      case 'bot.flatten':
        return this.flatten(detail, by);
      default:
        return this.ask(action, detail, asking);
    }
  }

  /** What a line asks for is durable first; a halt is passed on at once. */
  private ask(action: OutsideAction, detail: Detail, { by, deadlineMs }: { readonly by: By; readonly deadlineMs: Millis }): void {
    const { log } = this.context;
    const row = log.make('action', { ...detail, status: 'asked' }, { reason: by.reason });
    if (by.reason === 'HALTED') log.keep(row);
    else log.commit(row);
    this.asked.set(detail.actionId, { detail, by });
    this.context.act({ actionId: detail.actionId, action, arguments: detail.arguments, deadlineMs });
  }

  /** To be called after it was done: a stop has a row of its own and waits for none, a release has waited for its own. */
  private done(detail: Detail, by: By, words: string = detail.action): void {
    this.keep({ ...detail, status: 'confirmed' }, by);
    this.context.notice('info', `${nameOf(detail, by)}: ${words}`);
  }

  /** Ends pauses. Only a person's resume ends a halt, REDUCING or a person's pause. */
  private resume(detail: Detail, by: By, strategy: StrategyId | null): void {
    const stays = this.context.state.unpause(strategy, by);
    if (stays === null) return this.done(detail, by, `resumed ${strategy ?? 'all strategies'}`);
    this.failed(detail, by, `${stays}, which a person alone ends`);
  }

  private flatten(detail: Detail, by: By): void {
    const refused = this.manual.perform({ act: 'flatten', resume: false, who: by.who, why: by.why }, by.reason);
    if (refused) return this.failed(detail, by, refused.why);
    this.done(detail, by, 'flatten');
  }

  private failed(detail: Detail, by: By, why: string): void {
    this.keep({ ...detail, status: 'failed', response: why }, by);
    this.context.notice('error', `${nameOf(detail, by)}: ${detail.action} failed: ${why}`);
  }

  /** Journals that an action was not done; its response says why. */
  private skipped(detail: Detail, by: By, level: 'info' | 'error'): void {
    this.keep({ ...detail, status: 'skipped' }, by);
    this.context.notice(level, `${nameOf(detail, by)}: ${detail.action} skipped: ${detail.response}`);
  }

  /** The process ended before the answer came: what was asked of the service may have been done, work of our own was not. */
  private neverHeard(action: ActionDetail): void {
    const status = action.action.startsWith('remote.') ? 'unverified' : 'failed';
    const response = `the process ended before ${action.httpStatus === null ? 'the answer came' : 'it was read back'}`;
    const reason = action.who !== undefined ? 'BY_PERSON' : action.name === 'halt' ? 'HALTED' : 'BY_SCHEDULE';
    this.keep({ ...action, status, response }, { reason, who: 'schedule', why: action.name });
    this.context.notice('error', `${action.name}: ${action.action} of ${action.askedAt} is ${status}: ${response}`);
  }

  private keep(detail: ActionDetail, { reason }: By): void {
    const { log } = this.context;
    log.keep(log.make('action', detail, { reason }));
  }
}

/** The log level: a warning where the result cannot be known, an error where it should be known and is not, and nothing more is heard of it. */
function levelOf({ status, httpStatus, notShown = false, more = false }: ActionAnswer): Parameters<Notice>[0] {
  switch (status) {
    case 'asked':
    case 'confirmed':
      return 'info';
    case 'unverified':
      return !more && (notShown || httpStatus === null || httpStatus > 299) ? 'error' : 'warn';
    case 'unknown':
    case 'failed':
      return 'error';
  }
}

const nameOf = ({ name }: Detail, { reason }: By): string => (reason === 'HALTED' ? name : `schedule ${name}`);

function strategyIn({ arguments: { strategy } }: Detail): StrategyId | null {
  return typeof strategy === 'string' ? strategyId(strategy) : null;
}

/** What is asked: a span that counts from the line's time becomes two times, the first of them not in the past. */
function argumentsAt({ forMs, ...given }: ActionArguments, dueAt: Millis, now: Millis): ActionArguments {
  if (typeof forMs !== 'number') return given;
  return { ...given, fromTime: isoTime(Math.max(dueAt, now)), toTime: isoTime(dueAt + forMs) };
}
