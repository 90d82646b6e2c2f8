import type { ActionDetail } from '../domain/decision.ts';
import type { ActionAnswer, DueLine } from '../domain/event.ts';
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
}

/** Carries out the schedule's lines as they fall due: journaled first, then done, then journaled as answered. */
export class ScheduledActions {
  private readonly options: ScheduledActionsOptions;
  /** Asked of the service and not answered yet. */
  private readonly asked = new Map<string, Omit<ActionDetail, 'status'>>();
  private count = 0;

  constructor(options: ScheduledActionsOptions) {
    this.options = options;
  }

  due(line: DueLine): void {
    const { log, act } = this.options;
    this.count += 1;
    const detail = {
      actionId: `${log.inboxSeq}-${this.count}`,
      name: line.name,
      action: line.action,
      arguments: line.arguments,
      dueAt: isoTime(line.dueAt),
      askedAt: isoTime(log.now),
      httpStatus: null,
      response: '',
    };
    switch (line.action) {
      case 'bot.pause':
        return this.pause(detail);
      case 'remote.pauseAll':
        this.keep({ ...detail, status: 'asked' });
        this.asked.set(detail.actionId, detail);
        return act(detail.actionId, line.action, line.arguments);
    }
  }

  /** 202 means asked, not done: the status stays `asked` until it can be read back. */
  answered({ actionId, status, httpStatus, response }: ActionAnswer): void {
    const detail = this.asked.get(actionId);
    if (!detail) return;
    this.asked.delete(actionId);
    this.keep({ ...detail, status, httpStatus, response });
    const answer = httpStatus === null ? response : `answered ${httpStatus} ${response}`;
    this.options.notice(status === 'failed' ? 'error' : 'info', `schedule ${detail.name}: ${detail.action} ${answer}`.trimEnd());
  }

  private pause(detail: Omit<ActionDetail, 'status'>): void {
    const { state, notice } = this.options;
    const { strategy } = detail.arguments;
    const named = typeof strategy === 'string' ? strategyId(strategy) : null;
    this.keep({ ...detail, status: 'confirmed' });
    state.pause(named, { reason: 'BY_SCHEDULE', who: 'schedule', why: detail.name });
    notice('info', `schedule ${detail.name}: paused ${named ?? 'all strategies'}`);
  }

  private keep(detail: ActionDetail): void {
    const { log } = this.options;
    log.commit(log.make('action', detail, { reason: 'BY_SCHEDULE' }));
  }
}
