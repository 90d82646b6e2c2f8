import type { ActionDetail } from '../domain/decision.ts';
import { never } from '../domain/errors.ts';
import type { ActionAnswer, DueLine, InboxEvent } from '../domain/event.ts';
import type { HandAsked, HandTask } from '../domain/hand.ts';
import { isoTime, type StrategyId, strategyId } from '../domain/names.ts';
import type { DecisionLog } from '../trading/decision-log.ts';
import type { TradingState } from '../trading/trading-state.ts';
import type { Notice } from './notice.ts';

/** Has something done outside the engine and off the order path; the answer comes back by the inbox. */
export type Act = (actionId: string, action: OutsideAction, args: Readonly<Record<string, unknown>>) => void;

/** What is done outside: the service is asked, the journal is copied, or recordings are sealed. */
export type OutsideAction = 'remote.pauseAll' | 'bot.backup' | 'bot.seal';

export interface ScheduledActionsOptions {
  readonly log: DecisionLog;
  readonly state: TradingState;
  readonly act: Act;
  readonly notice: Notice;
  /** Begins what the desk is to do; says why where that is refused at once. */
  readonly byHand: (asked: HandAsked) => HandTask['refused'];
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
    const by = { reason: 'BY_SCHEDULE', who: 'schedule', why: line.name } as const;
    const strategy = strategyIn(line);
    switch (line.action) {
      case 'bot.halt':
        return this.done(detail, () => this.options.state.halt(by.reason, by.who, by.why));
      case 'bot.resume':
        return this.resume(detail, strategy);
      case 'bot.pause':
        return this.done(detail, () => this.options.state.pause(strategy, by), `paused ${strategy ?? 'all strategies'}`);
      case 'bot.flatten':
        return this.flatten(detail);
      case 'bot.backup':
      case 'bot.seal':
      case 'remote.pauseAll':
        return this.ask({ detail, reason: 'BY_SCHEDULE' }, line.action);
      default:
        return never(line.action);
    }
  }

  /** To be called after each event: a halt that the event brought is passed on once; one of an earlier run was then. */
  passOnHalt(event: InboxEvent['kind']): void {
    const { state, escalateHalt, log } = this.options;
    if (state.isHalted === this.wasHalted) return;
    this.wasHalted = state.isHalted;
    if (!this.wasHalted || !escalateHalt || event === 'start') return;
    const detail = this.detailOf({ name: 'halt', action: 'remote.pauseAll', arguments: {}, dueAt: log.now });
    this.ask({ detail, reason: 'HALTED' }, 'remote.pauseAll');
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

  private ask({ detail, reason }: Asked, action: OutsideAction): void {
    this.keep({ ...detail, status: 'asked' }, reason);
    this.asked.set(detail.actionId, { detail, reason });
    this.options.act(detail.actionId, action, detail.arguments);
  }

  /** Journaled first, then done. */
  private done(detail: Omit<ActionDetail, 'status'>, work: () => void, words: string = detail.action): void {
    this.keep({ ...detail, status: 'confirmed' }, 'BY_SCHEDULE');
    work();
    this.options.notice('info', `schedule ${detail.name}: ${words}`);
  }

  /** Ends pauses. A halt and REDUCING are left by a person alone. */
  private resume(detail: Omit<ActionDetail, 'status'>, strategy: StrategyId | null): void {
    const { state } = this.options;
    if (strategy === null && (state.isHalted || state.reducing !== null)) {
      return this.failed(detail, `trading is ${state.isHalted ? 'halted' : 'REDUCING'}, which a person alone ends`);
    }
    const by = { reason: 'BY_SCHEDULE', who: 'schedule', why: detail.name } as const;
    this.done(detail, () => state.unpause(strategy, by), `resumed ${strategy ?? 'all strategies'}`);
  }

  private flatten(detail: Omit<ActionDetail, 'status'>): void {
    const refused = this.options.byHand({ act: 'flatten', resume: false, who: 'schedule', why: detail.name });
    if (refused) return this.failed(detail, refused.why);
    this.keep({ ...detail, status: 'confirmed' }, 'BY_SCHEDULE');
    this.options.notice('info', `schedule ${detail.name}: flatten`);
  }

  private failed(detail: Omit<ActionDetail, 'status'>, why: string): void {
    this.keep({ ...detail, status: 'failed', response: why }, 'BY_SCHEDULE');
    this.options.notice('error', `schedule ${detail.name}: ${detail.action} failed: ${why}`);
  }

  private keep(detail: ActionDetail, reason: Asked['reason']): void {
    const { log } = this.options;
    log.commit(log.make('action', detail, { reason }));
  }
}

function strategyIn({ arguments: { strategy } }: DueLine): StrategyId | null {
  return typeof strategy === 'string' ? strategyId(strategy) : null;
}
