import type { ActionDetail } from '../domain/decision.ts';
import type { ActionAnswer, DueLine, InboxEvent } from '../domain/event.ts';
import { isoTime, strategyId } from '../domain/names.ts';
import type { DecisionLog } from '../trading/decision-log.ts';
import type { TradingState } from '../trading/trading-state.ts';
import type { Notice } from './notice.ts';

/** Asks the service for something outside the order path; the answer comes back by the inbox. */
export type Act = (actionId: string, action: 'remote.pauseAll', args: Readonly<Record<string, unknown>>) => void;

export interface ScheduledActionsOptions {
  readonly log: DecisionLog;
  readonly state: TradingState;
  readonly act: Act;
  readonly notice: Notice;
  /** A halt also asks the service to pause its own strategies. */
  readonly escalateHalt: boolean;
}

/** An action that was asked of the service, and what asked for it. */
interface Asked {
  readonly detail: Omit<ActionDetail, 'status'>;
  readonly reason: 'BY_SCHEDULE' | 'HALTED';
}

/**
 * Carries out the schedule's lines as they fall due, and passes a halt on to the service: journaled first, then done, then
 * journaled as answered.
 */
export class ScheduledActions {
  private readonly options: ScheduledActionsOptions;
  /** Asked of the service and not answered yet. */
  private readonly asked = new Map<string, Asked>();
  private count = 0;
  private wasHalted = false;

  constructor(options: ScheduledActionsOptions) {
    this.options = options;
  }

  due(line: DueLine): void {
    const detail = this.detailOf(line);
    switch (line.action) {
      case 'bot.pause':
        return this.pause(detail);
      case 'remote.pauseAll':
        return this.pauseAll({ detail, reason: 'BY_SCHEDULE' });
    }
  }

  /** To be called after each event: a halt that the event brought is passed on once; one of an earlier run was then. */
  passOnHalt(event: InboxEvent['kind']): void {
    const { state, escalateHalt, log } = this.options;
    if (state.isHalted === this.wasHalted) return;
    this.wasHalted = state.isHalted;
    if (!this.wasHalted || !escalateHalt || event === 'start') return;
    const detail = this.detailOf({ name: 'halt', action: 'remote.pauseAll', arguments: {}, dueAt: log.now });
    this.pauseAll({ detail, reason: 'HALTED' });
  }

  /** 202 means asked, not done: the status stays `asked` until it can be read back. */
  answered({ actionId, status, httpStatus, response }: ActionAnswer): void {
    const asked = this.asked.get(actionId);
    if (!asked) return;
    const { detail, reason } = asked;
    this.asked.delete(actionId);
    this.keep({ ...detail, status, httpStatus, response }, reason);
    const answer = httpStatus === null ? response : `answered ${httpStatus} ${response}`;
    const by = reason === 'HALTED' ? detail.name : `schedule ${detail.name}`;
    this.options.notice(status === 'failed' ? 'error' : 'info', `${by}: ${detail.action} ${answer}`.trimEnd());
  }

  private detailOf(line: DueLine): Omit<ActionDetail, 'status'> {
    const { log } = this.options;
    this.count += 1;
    return {
      actionId: `${log.inboxSeq}-${this.count}`,
      name: line.name,
      action: line.action,
      arguments: line.arguments,
      dueAt: isoTime(line.dueAt),
      askedAt: isoTime(log.now),
      httpStatus: null,
      response: '',
    };
  }

  private pauseAll({ detail, reason }: Asked): void {
    this.keep({ ...detail, status: 'asked' }, reason);
    this.asked.set(detail.actionId, { detail, reason });
    this.options.act(detail.actionId, 'remote.pauseAll', detail.arguments);
  }

  private pause(detail: Omit<ActionDetail, 'status'>): void {
    const { state, notice } = this.options;
    const { strategy } = detail.arguments;
    const named = typeof strategy === 'string' ? strategyId(strategy) : null;
    this.keep({ ...detail, status: 'confirmed' }, 'BY_SCHEDULE');
    state.pause(named, { reason: 'BY_SCHEDULE', who: 'schedule', why: detail.name });
    notice('info', `schedule ${detail.name}: paused ${named ?? 'all strategies'}`);
  }

  private keep(detail: ActionDetail, reason: Asked['reason']): void {
    const { log } = this.options;
    log.commit(log.make('action', detail, { reason }));
  }
}
