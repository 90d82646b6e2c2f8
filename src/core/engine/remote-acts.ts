import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { ActionDetail } from '#domain/decision.ts';
import type { ActionAnswer, Command } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import { askedDetail, type RemoteAsk, type RemoteTask } from '#domain/remote.ts';
import type { Notice } from '#ports/notice.ts';

/** Asks the service, outside and off the order path; what it answers comes back by the inbox. */
export type AskRemote = (actionId: string, asked: RemoteAsk) => void;

interface RemoteActsOptions {
  readonly log: DecisionLog;
  readonly notice: Notice;
  /** Absent where a run is played again: what the service said then is in its inbox. */
  readonly remote?: AskRemote;
}

type Asking = Extract<Command, { act: 'remote' | 'settle-create' }>;

/** How many are remembered for whoever looks. */
const MAX_TASKS = 100;

/**
 * What a person asks of the service's own strategies: journaled, then asked, then journaled as answered and as read back. A
 * create whose answer was lost may have left a strategy that nobody knows: no other is asked for until a person settles it (F16).
 */
export class RemoteActs {
  private readonly options: RemoteActsOptions;
  private readonly tasks = new Map<string, RemoteTask>();
  /** Asked, and not answered for good. */
  private readonly open = new Map<string, ActionDetail>();
  /** Creates whose outcome is not known. */
  private readonly unsettled = new Map<string, ActionDetail>();
  private count = 0;
  private last: RemoteTask | undefined;

  constructor(options: RemoteActsOptions) {
    this.options = options;
  }

  /** True while an answer of the service is waited for. */
  get isAsking(): boolean {
    return this.open.size > 0;
  }

  /** Takes over creates that earlier runs left open: nobody can say any more what became of one that was being asked for. */
  start(creates: readonly ActionDetail[]): void {
    for (const create of creates) {
      const { actionId, status } = create;
      if (status === 'unknown') this.unsettled.set(actionId, create);
      else this.lost({ ...create, status: 'unknown', response: 'the process ended before the answer came' });
    }
  }

  perform(command: Asking): void {
    this.last = command.act === 'remote' ? this.begin(command) : this.settle(command);
  }

  /** What the last command came to so far, or the action of this id. */
  task(id?: string): RemoteTask | undefined {
    return id === undefined ? this.last : this.tasks.get(id);
  }

  /** True for an answer to something that was asked here. */
  answered({ actionId, status, httpStatus, response, more = false }: ActionAnswer): boolean {
    const before = this.open.get(actionId);
    if (!before) return false;
    const detail = { ...before, status, httpStatus, response };
    if (more) this.open.set(actionId, detail);
    else this.open.delete(actionId);
    if (status === 'unknown') this.lost(detail);
    else this.keep(detail, 'BY_PERSON');
    this.remember(detail, { ended: !more });
    const said = httpStatus === null ? response : `answered ${httpStatus}`;
    if (!more) this.options.notice(status === 'failed' ? 'error' : 'info', `${detail.action} ${actionId}: ${status}, ${said}`);
    return true;
  }

  private begin({ asked, who, why }: Extract<Asking, { act: 'remote' }>): RemoteTask {
    const { log, remote } = this.options;
    this.count += 1;
    const detail = askedDetail(asked, { actionId: `${log.inboxSeq}-r${this.count}`, at: isoTime(log.now), who, why });
    const refused = this.refusal(asked);
    if (refused !== null) return taskOf(detail, { ended: true, refused });
    log.commit(log.make('action', detail, { reason: 'BY_PERSON' }));
    this.open.set(detail.actionId, detail);
    this.options.notice('info', `${detail.action} ${detail.actionId} by ${who}: ${why}`);
    const task = this.remember(detail, { ended: false });
    remote?.(detail.actionId, asked);
    return task;
  }

  private refusal({ action }: RemoteAsk): string | null {
    if (action !== 'create') return null;
    const [unsettled] = this.unsettled.keys();
    if (unsettled !== undefined) return unsettledText(unsettled);
    const waits = [...this.open.values()].some((one) => one.action === 'remote.create');
    return waits ? 'another create is in flight; wait for its answer' : null;
  }

  private settle({ actionId, strategyId, who, why }: Extract<Asking, { act: 'settle-create' }>): RemoteTask {
    const before = this.unsettled.get(actionId);
    if (!before) return refusedSettling(actionId);
    this.unsettled.delete(actionId);
    const detail = settled(before, strategyId, { who, why });
    this.keep(detail, 'BY_PERSON');
    this.options.notice('info', `create ${actionId} settled by ${who}: ${detail.response}`);
    return this.remember(detail, { ended: true });
  }

  private lost(detail: ActionDetail): void {
    this.unsettled.set(detail.actionId, detail);
    this.keep(detail, 'CREATE_UNKNOWN');
    this.options.notice('error', unsettledText(detail.actionId));
  }

  private keep(detail: ActionDetail, reason: Reason): void {
    const { log } = this.options;
    log.keep(log.make('action', detail, { reason }));
  }

  private remember(detail: ActionDetail, { ended }: { readonly ended: boolean }): RemoteTask {
    const task = taskOf(detail, { ended, refused: null });
    this.tasks.set(detail.actionId, task);
    const [oldest] = this.tasks.keys();
    if (this.tasks.size > MAX_TASKS && oldest !== undefined) this.tasks.delete(oldest);
    return task;
  }
}

/** An action as whoever asked for it is told. */
export function taskOf(
  { actionId, action, arguments: said, status, httpStatus, response }: ActionDetail,
  { ended, refused }: { readonly ended: boolean; readonly refused: string | null },
): RemoteTask {
  return { id: actionId, action, arguments: said, status: refused === null ? status : 'failed', httpStatus, response, ended, refused };
}

/** The row that ends a create of unknown outcome. */
export function settled(before: ActionDetail, strategyId: string | null, by: { readonly who: string; readonly why: string }): ActionDetail {
  const response = strategyId === null ? 'nothing was created' : JSON.stringify({ strategyId });
  return { ...before, status: strategyId === null ? 'failed' : 'confirmed', response, ...by };
}

/** The answer to a person who settles a create that is not open. */
export function refusedSettling(actionId: string): RemoteTask {
  const refused = `there is no create ${actionId.slice(0, 80)} of unknown outcome`;
  return { id: actionId, action: 'remote.create', arguments: {}, status: 'failed', httpStatus: null, response: '', ended: true, refused };
}

export const unsettledText = (actionId: string): string =>
  `the answer to create ${actionId} was lost, so an idle strategy may exist: look with \`kairos remote find\`, then \`kairos remote settle ${actionId}\`; no other is created until then`;
