import type { DecisionLog } from '#core/decisions/decision-log.ts';
import { waitOf } from '#core/execution/at-work.ts';
import type { ParentOrders } from '#core/execution/parent-orders.ts';
import { MANUAL_BOOK, MANUAL_TAG, type ManualTerms, type Plan, REHEARSAL_TAG } from '#core/execution/plan.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { HeldPosition, ManualOrderView, ManualPart, ManualRequest, ManualTask, PastManualRequest } from '#domain/manual-request.ts';
import type { ProductCode, StrategyId } from '#domain/names.ts';
import type { OrderState } from '#domain/order.ts';
import type { Quote, Side } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { EngineContext } from './engine-context.ts';

/** One book and product of a task. */
export interface Part {
  readonly book: StrategyId;
  readonly product: ProductCode;
  readonly wants: string;
  /** The position of its book when it began. */
  readonly held: Decimal;
  readonly orders: Map<string, ManualOrderView>;
  state: ManualPart['state'];
  left: Decimal;
  reason: Reason | null;
  why: string | null;
  /** At work as a closing of a strategy's position, or as an order of its own. */
  plan: Plan | undefined;
  /** Of an order; a closing has none. */
  terms: ManualTerms | undefined;
}

/** A request of a person while it is worked on, and what it came to. */
export interface Task {
  readonly id: string;
  readonly act: ManualRequest['act'];
  readonly who: string;
  readonly why: string;
  /** Tag of its orders in the book `manual`. */
  readonly tag: string;
  readonly parts: Part[];
  refused: ManualTask['refused'];
  ended: boolean;
}

type Needs = Pick<EngineContext, 'log' | 'books' | 'exits' | 'state'>;

/** Number of finished tasks that are remembered. */
const KEPT = 50;

/** What people have asked for, each with its parts, and its rows in the journal at its beginning and end. */
export class ManualTasks {
  private readonly log: DecisionLog;
  private readonly context: Needs;
  private readonly closings: ParentOrders['closings'];
  private readonly tasks = new Map<string, Task>();
  /** Those that are not over. */
  open: readonly Task[] = [];

  /** `closings`: the positions of a strategy that are being closed. */
  constructor(context: Needs, closings: ParentOrders['closings']) {
    this.log = context.log;
    this.context = context;
    this.closings = closings;
  }

  /** Journals what is asked, with what of it is to be closed: from that a restart goes on. It is written before any order. */
  begin(asked: ManualRequest, by: Reason, held: readonly HeldPosition[]): Task {
    const { log } = this;
    const { act, who, why, ...wants } = asked;
    const row = log.make('by_hand', { who, why, act, wants, held }, { reason: by });
    if (!log.attempt(row)) log.defer(row);
    const isMeant = 'rehearsal' in asked && asked.rehearsal === true;
    // What people hold they may close before they arm: a rehearsal that broke off leaves it.
    const isRehearsal = asked.act === 'close' ? asked.strategy === MANUAL_BOOK && (isMeant || this.context.state.isDisarmed) : isMeant;
    return this.enter({ id: String(log.inboxSeq), act, who, why, tag: isRehearsal ? REHEARSAL_TAG : MANUAL_TAG });
  }

  /** Goes on with what an earlier run was asked; its beginning is journaled already. */
  resume({ id, act, who, why }: PastManualRequest): Task {
    return this.enter({ id, act, who, why, tag: MANUAL_TAG });
  }

  private enter(asked: Pick<Task, 'id' | 'act' | 'who' | 'why' | 'tag'>): Task {
    const task: Task = { ...asked, parts: [], refused: null, ended: false };
    this.tasks.set(task.id, task);
    this.open = [...this.open, task];
    for (const id of [...this.tasks.keys()].slice(0, -KEPT)) this.tasks.delete(id);
    return task;
  }

  add(task: Task, from: Pick<Part, 'book' | 'product' | 'wants' | 'held'>): Part {
    const none = { plan: undefined, terms: undefined, reason: null, why: null };
    const part: Part = { ...from, left: from.held, orders: new Map(), state: 'working', ...none };
    task.parts.push(part);
    return part;
  }

  refuse(task: Task, reason: Reason | null, why: string): void {
    task.refused = { reason, why };
  }

  end(part: Part, state: 'done' | 'refused' | 'open', with_?: { readonly reason: Reason | null; readonly why: string }): void {
    part.state = state;
    part.left = this.context.books.book(part.book, part.product).size;
    if (with_) Object.assign(part, { reason: with_.reason, why: with_.why === '' ? null : with_.why });
    else if (state === 'done' && part.reason !== 'DUST') Object.assign(part, { reason: null, why: null });
  }

  working(): readonly Part[] {
    return this.open.flatMap(({ parts }) => parts.filter(({ state }) => state === 'working'));
  }

  /** Journals what every task has come to that is over, journaled before anybody is told: else a restart would begin it again. */
  endDone(): void {
    const over = this.open.filter(({ parts }) => parts.every(({ state }) => state !== 'working'));
    if (over.length === 0) return;
    this.open = this.open.filter((task) => !over.includes(task));
    for (const task of over) {
      const { id, act, refused } = task;
      const parts = task.parts.map(viewOf);
      this.log.keep(this.log.make('by_hand_end', { id, act, refused, parts }, { reason: refused?.reason ?? null }));
      task.ended = true;
    }
  }

  /** The newest, newest last. */
  recent(count: number): readonly ManualTask[] {
    return [...this.tasks.keys()].slice(-count).flatMap((id) => this.view(id) ?? []);
  }

  view(id?: string): ManualTask | undefined {
    const task = id === undefined ? [...this.tasks.values()].at(-1) : this.tasks.get(id);
    if (!task) return undefined;
    const { tag: _tag, ...shown } = task;
    return { ...shown, parts: task.parts.map((part) => ({ ...viewOf(part), ...(part.state === 'working' && this.present(part)) })) };
  }

  /** What is left of a part at work, and what it waits for: of the closing of a strategy's position, behind others of the same, what the first does. */
  private present({ book, product, reason, why, terms, orders }: Part): Pick<ManualPart, 'left' | 'reason' | 'why'> {
    const own = why === null ? undefined : { reason, why };
    const closing = terms ? undefined : this.closings(book).find((one) => one.product === product);
    const isItsOrder = (order: string): boolean => terms?.lasting !== false || orders.has(order);
    const wait =
      closing && (closing.reason !== null || !own) ? closing : waitOf(this.context, { strategy: book, product, isItsOrder }, own);
    const allow = wait.command === null ? '' : `; to allow it: \`${wait.command}\``;
    return { left: this.context.books.book(book, product).size.toString(), reason: wait.reason, why: `${wait.why}${allow}` };
  }
}

/** Notes an order that was sent for a part. */
export function addOrder(
  part: Part,
  from: { readonly orderId: string; readonly quote: Quote; readonly ageMs: number; readonly side: Side | undefined },
): void {
  const { orderId, quote, ageMs } = from;
  const side = from.side ?? (part.held.isNegative() ? 'buy' : 'sell');
  const { price, size } = quote[side];
  const state: OrderState = 'intent';
  part.orders.set(orderId, { orderId, side, state, price, size, quoteAgeMs: ageMs });
}

/** Notes why an attempt of a part failed. */
export function failPart(part: Part, reason: Reason | null, why: string | null): void {
  part.reason = reason;
  part.why = why;
}

function viewOf({ book, product, wants, state, held, left, orders, reason, why }: Part): ManualPart {
  return { book, product, wants, state, held: held.toString(), left: left.toString(), orders: [...orders.values()], reason, why };
}
