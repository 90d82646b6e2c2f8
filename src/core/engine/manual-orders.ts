import type { ChildOrderResult } from '#core/execution/child-order-result.ts';
import { feeShareIn, seenOf } from '#core/execution/manual-lanes.ts';
import type { ParentOrders } from '#core/execution/parent-orders.ts';
import {
  MANUAL_BOOK,
  MANUAL_TAG,
  type ManualPlan,
  type ManualSizing,
  type ManualTerms,
  type Plan,
  REHEARSAL_TAG,
} from '#core/execution/plan.ts';
import { unsureCheck } from '#core/execution/unsure.ts';
import { tradedOn } from '#core/strategy/instance.ts';
import { checkWords, refusalWords } from '#domain/check-words.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { IntentSize } from '#domain/intent.ts';
import type { HeldPosition, ManualRequest, ManualTask, PastManualRequest } from '#domain/manual-request.ts';
import { type ProductCode, productCode, type StrategyId, strategyId } from '#domain/names.ts';
import { nearest } from '#domain/nearest.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Quote, Side } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';
import { manualIntent, wanted, wordsOf } from './manual-amounts.ts';
import { closing } from './manual-closing.ts';
import { addOrder, failPart, ManualTasks, type Part, type Task } from './manual-tasks.ts';

/**
 * What people ask for: close a book, flatten everything, an order of their own. Each is journaled with who and why
 * before any order, and goes through the sizing and the checks of any other order. All are worked
 * as parent orders: a strategy's position is closed by a plan that does not lapse, what belongs to no configured strategy on a lane that is lent.
 */
export class ManualOrders {
  private readonly context: EngineContext;
  private readonly parentOrders: ParentOrders;
  readonly tasks: ManualTasks;
  /** Requests of earlier runs, kept until products are known. */
  private past: readonly PastManualRequest[] = [];

  constructor(context: EngineContext, parentOrders: ParentOrders) {
    this.context = context;
    this.parentOrders = parentOrders;
    this.tasks = new ManualTasks(context, (strategy) => parentOrders.closings(strategy));
  }

  /** What became of what was asked, by its id; the last one without. */
  task(id?: string): ManualTask | undefined {
    return this.tasks.view(id);
  }

  /** What was asked last, newest last. */
  recent(count: number): readonly ManualTask[] {
    return this.tasks.recent(count);
  }

  /** Exits that wait for a person's word. */
  waitingExits() {
    return this.context.exits.waiting();
  }

  /** Begins what a person, or a line of the schedule, asks for; says why where it is refused at once. */
  perform(asked: ManualRequest, by: Reason = 'BY_PERSON'): ManualTask['refused'] {
    const isEnd = asked.act !== 'order' && asked.end === true;
    if (asked.act === 'flatten') this.endHalt(asked);
    const held = isEnd ? [] : this.toClose(asked);
    const task = this.tasks.begin(asked, by, held);
    if (isEnd) {
      this.endClosings(task, asked);
      return task.refused;
    }
    switch (asked.act) {
      case 'close':
        this.close(task, asked, held);
        break;
      case 'flatten':
        this.flatten(task, asked, { by, held });
        break;
      case 'order':
        this.order(task, asked);
    }
    return task.refused;
  }

  /** Takes what people asked earlier runs to close and what was not over. */
  restore(past: readonly PastManualRequest[]): void {
    this.past = past;
  }

  /** Resumes them, after products are known and parent orders are restored. */
  resume(): void {
    for (const one of this.past) {
      const task = this.tasks.resume(one);
      for (const held of one.held) {
        const part = this.closingPart(task, held, one.pct);
        part.plan = this.closingOf(part, one.pct);
        if (part.plan) continue;
        if (this.isOpenedSince(part, one.at)) this.tasks.end(part, 'done');
        else this.closePart(task, part, one.pct);
      }
    }
    this.past = [];
  }

  /** A plan was tried, possibly one of a person. */
  attempted(plan: Plan, attempt: ChildOrderResult, quote: Quote): void {
    const part = this.tasks.working().find((one) => one.plan === plan);
    if (!part) return;
    if (attempt.kind === 'sent') addOrder(part, { orderId: attempt.orderId, quote, ageMs: this.ageOf(quote), side: part.terms?.side });
    if (attempt.kind === 'refused') failPart(part, attempt.reason, refusalWords(attempt.reason, attempt.checks));
  }

  /** What became of an order. */
  heard({ orderId, state, reason, price, size }: Outcome): void {
    if (orderId === undefined || state === 'refused' || state === 'lapsed') return;
    for (const part of this.tasks.working()) {
      const order = part.orders.get(orderId);
      if (!order) continue;
      part.orders.set(orderId, { ...order, state, price: price ?? order.price, size: size ?? order.size });
      if (state !== 'accepted') failPart(part, reason, `order ${orderId} is ${state}`);
    }
  }

  /** To be called after each event while tasks are open: closings that are over have come to something. */
  poll(): void {
    for (const part of this.tasks.working()) {
      if (part.plan && !part.terms && !this.parentOrders.isClosing(part.book)) this.closed(part);
    }
    this.tasks.endDone();
  }

  /** The positions that an act is about, as they are now, and those that an open order may bring about. */
  private toClose(asked: ManualRequest): readonly HeldPosition[] {
    if (asked.act === 'order') return [];
    const { books } = this.context;
    const isMeant = meantBy(asked);
    return [...books.positions()].flatMap(({ strategy: book, product, size }) =>
      isMeant(book, product) && (!size.isZero() || books.openOf(book, product).length > 0)
        ? [{ book, product, size: size.toString() }]
        : [],
    );
  }

  private close(
    task: Task,
    { strategy, product, pct, upTo }: Extract<ManualRequest, { act: 'close' }>,
    held: readonly HeldPosition[],
  ): void {
    if (this.isShut(task)) return;
    const isMeant = meantBy({ act: 'close', strategy, product });
    const waited = pct === 100 && this.parentOrders.endWanted((book, leg) => isMeant(book, leg.product), 'BY_PERSON');
    if (held.length === 0 && !waited) return this.tasks.refuse(task, 'NO_POSITION', this.nothingHeld(strategy, product));
    for (const one of held) {
      if (upTo !== undefined) this.context.exits.allow(strategyId(one.book), productCode(one.product), upTo);
      this.closePart(task, this.closingPart(task, one, pct), pct);
    }
  }

  /** A person ends closings that earlier acts began, and the undoing of failed plans: orders on their way stay so, and what is held stays. */
  private endClosings(task: Task, asked: Closing): void {
    const isMeant = meantBy(asked);
    const ended = this.tasks.working().filter(({ book, product, terms }) => isMeant(book, product) && terms?.lasting !== false);
    const endsUndoing = this.parentOrders.endUndoing((book, leg) => isMeant(book, leg.product));
    if (ended.length === 0 && !endsUndoing) this.tasks.refuse(task, 'NO_POSITION', 'nothing is being closed there');
    for (const part of ended) {
      if (part.plan) this.parentOrders.withdraw(part.plan);
      this.tasks.end(part, 'open', { reason: 'BY_PERSON', why: `ended by ${wordOf(task)}` });
    }
  }

  private nothingHeld(strategy: string, product: string | null): string {
    const names: readonly string[] = [...this.context.strategies.map(({ id }) => id), MANUAL_BOOK];
    const near = names.includes(strategy) ? undefined : nearest(strategy, names, 2);
    return `${strategy} has no position${product === null ? '' : ` in ${product}`}${near === undefined ? '' : `; did you mean ${near}?`}`;
  }

  /** The first row of its act: where the journal is held by then, the act is refused and nothing of it stands. */
  private endHalt({ resume, end, who, why }: Extract<ManualRequest, { act: 'flatten' }>): void {
    const { state } = this.context;
    if (state.isHalted && resume && end !== true && !state.isDisarmed) state.resumeReducing(who, `flatten: ${why}`);
  }

  private flatten(
    task: Task,
    { who, why }: Extract<ManualRequest, { act: 'flatten' }>,
    { by, held }: { readonly by: Reason; readonly held: readonly HeldPosition[] },
  ): void {
    const { state } = this.context;
    if (this.isShut(task)) return;
    state.reduce(by, who, `flatten: ${why}`);
    this.parentOrders.endWanted(() => true, by);
    for (const one of held) this.closePart(task, this.closingPart(task, one, 100), 100);
  }

  private order(task: Task, { product: code, side, amount: asked }: Extract<ManualRequest, { act: 'order' }>): void {
    const { products } = this.context;
    if (this.isShut(task)) return;
    const product = products.get(productCode(code));
    if (!product)
      return this.tasks.refuse(task, null, `the service quotes no product ${code}; it quotes ${[...products.keys()].join(', ')}`);
    const held = this.context.books.book(MANUAL_BOOK, product.code).size;
    const part = this.tasks.add(task, { book: MANUAL_BOOK, product: product.code, wants: `${side} ${wordsOf(asked)}`, held });
    const want = (price: number | undefined): ManualSizing => wanted(asked, { product, price, side, why: wordOf(task) });
    this.try(task, part, { side, want, lasting: false });
  }

  /** Refuses a request while trading is halted; one that is no rehearsal while it is disarmed. */
  private isShut(task: Task): boolean {
    const { state } = this.context;
    const isDisarmed = state.isDisarmed && task.tag !== REHEARSAL_TAG;
    if (state.isHalted) {
      const first = isDisarmed ? ' and not armed: `kairos arm`, then' : ':';
      const flatten = 'or `kairos flatten --yes` (over HTTP `"resume": true`) to close everything';
      this.tasks.refuse(task, 'HALTED', `trading is halted${first} \`kairos resume\`, ${flatten}`);
    } else if (isDisarmed) this.tasks.refuse(task, 'DISARMED', 'this configuration is not armed: `kairos rehearse`, then `kairos arm`');
    return task.refused !== null;
  }

  private closingPart(task: Task, { book, product, size }: HeldPosition, pct: number): Part {
    const wants = pct === 100 ? 'close' : `close ${pct} %`;
    return this.tasks.add(task, { book: strategyId(book), product: productCode(product), wants, held: decimalOf(size) });
  }

  private closePart(task: Task, part: Part, pct: number): void {
    const { books, products, strategies } = this.context;
    const { book, product: code } = part;
    const product = products.get(code);
    if (!product) return this.tasks.end(part, 'open', { reason: null, why: `the service no longer quotes ${code}` });
    const seen = seenOf(this.context, code);
    const feeShare = feeShareIn(this.context, code);
    const want = closing(books, { part, product, pct, feeShare, why: wordOf(task) });
    const [open] = books.openOf(book, code);
    const isShort = part.held.isZero() ? open?.side === 'sell' : part.held.isNegative();
    const side: Side = isShort ? 'buy' : 'sell';
    const lane = laneOf(strategies, book, code);
    const first = want(seen?.[side].price);
    if ('over' in first) return this.tasks.end(part, first.done ? 'done' : 'open', { reason: first.over, why: first.why });
    // A share counts from what is held now: while an order is open, only its own sizing keeps to that.
    if (lane === undefined || (open && pct < 100)) return this.try(task, part, { side, want, lasting: true });
    const size: IntentSize = pct === 100 ? { kind: 'position' } : { kind: 'percent', percent: pct };
    const legs = [{ intent: manualIntent(side, size, wordOf(task)), lane, product: code }];
    part.plan = { strategy: book, legs, signals: {}, onLegFailure: 'keep' };
    this.parentOrders.close(part.plan);
  }

  /** True where nothing is left of the position that was meant: what its book has now was ordered and opened after that. */
  private isOpenedSince({ book, product, held }: Part, at = Number.POSITIVE_INFINITY): boolean {
    const { books } = this.context;
    const { openedAt = Number.POSITIVE_INFINITY } = books.book(book, product);
    return openedAt > at && !held.isZero() && books.openOf(book, product).every(({ intentAt }) => intentAt > at);
  }

  /** The plan by which a person closes that share already, where one is at work. */
  private closingOf({ book, product }: Part, pct: number): Plan | undefined {
    return this.parentOrders.closingOf(book, ({ product: its, intent: { tag, size } }) => {
      return its === product && tag === MANUAL_TAG && (size.kind === 'percent' ? size.percent : 100) === pct;
    });
  }

  private closed(part: Part): void {
    const held = this.context.books.book(part.book, part.product).size;
    if (held.isZero()) return this.tasks.end(part, 'done');
    if (held.abs().lt(part.held.abs())) return this.tasks.end(part, 'done', { reason: null, why: `${held} is left` });
    this.tasks.end(part, 'open', { reason: part.reason, why: part.why ?? `${held} is left` });
  }

  private try({ tag }: Task, part: Part, how: Pick<ManualTerms, 'side' | 'want' | 'lasting'>): void {
    const { book, product } = part;
    const terms: ManualTerms = {
      ...how,
      want: (price) => tagged(how.want(price), tag),
      product,
      failed: (reason, why) => failPart(part, reason, why),
      ended: (as) => {
        if (as !== 'unknown') return this.tasks.end(part, as === 'refused' && how.lasting ? 'open' : as);
        const check = unsureCheck(this.context.books, { strategy: book, product });
        this.tasks.end(part, 'open', { reason: 'PRODUCT_FROZEN', why: checkWords(check) });
      },
    };
    const plan: ManualPlan = { strategy: book, legs: [], signals: {}, onLegFailure: 'keep', manual: terms };
    part.plan = plan;
    part.terms = terms;
    this.parentOrders.order(plan);
  }

  private ageOf(quote: Quote): number {
    const { market, log } = this.context;
    return log.now - (market.lane(quote.lane)?.lastQuoteAt ?? log.now);
  }
}

const tagged = (sizing: ManualSizing, tag: string): ManualSizing =>
  'intent' in sizing ? { ...sizing, intent: { ...sizing.intent, tag } } : sizing;

type Closing = Exclude<ManualRequest, { act: 'order' }>;

/** Which books and products an act is about. */
type ClosingScope = { readonly act: 'flatten' } | { readonly act: 'close'; readonly strategy: string; readonly product: string | null };

function meantBy(asked: ClosingScope): (book: string, product: string) => boolean {
  if (asked.act === 'flatten') return () => true;
  const { strategy, product: only } = asked;
  return (book, product) => book === strategy && (only === null || product === only);
}

/** Who asked and why, as its orders state it. */
const wordOf = ({ who, why }: Task): string => `${who}: ${why}`;

/** The standing lane on which a configured strategy trades a product. */
function laneOf(strategies: readonly EngineStrategy[], book: StrategyId, product: ProductCode) {
  const strategy = strategies.find(({ id }) => id === book);
  return strategy && tradedOn(strategy).find((own) => own.product === product)?.lane;
}
