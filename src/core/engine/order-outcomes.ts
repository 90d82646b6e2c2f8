import type { ChildOrderResult } from '#core/execution/child-order-result.ts';
import type { OrderAbout, OrderListener } from '#core/execution/order-listener.ts';
import type { ParentOrders } from '#core/execution/parent-orders.ts';
import type { Plan } from '#core/execution/plan.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import { refusalWords } from '#domain/check-words.ts';
import { consentCommand } from '#domain/closing-wait.ts';
import { orderId, type StrategyId } from '#domain/names.ts';
import { type OrderCore, worthOf } from '#domain/order.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Quote } from '#domain/quote.ts';
import type { Notice } from '#ports/notice.ts';
import type { EngineContext } from './engine-context.ts';
import type { ManualOrders } from './manual-orders.ts';
import type { StrategySwitch } from './strategy-switch.ts';
import type { StrategyPositions, Views } from './views.ts';

/** Those who hear what came of orders. */
interface Hearers {
  readonly views: Views;
  readonly positions: StrategyPositions;
  readonly parentOrders: ParentOrders;
  readonly manual: ManualOrders;
  readonly host: StrategyHost;
  readonly strategySwitch: StrategySwitch;
}

type Needs = Pick<EngineContext, 'books' | 'drilled' | 'notice'>;

/** Tells what came of an order, always in the same order: what strategies may look at, people, the person's task, who works it, the strategy itself. */
export class OrderOutcomes implements OrderListener {
  private readonly context: Needs;
  private readonly hearers: Hearers;
  private readonly tell: ReturnType<typeof outcomesTold>;
  private readonly tellTooMuch: ReturnType<typeof tooMuchTold>;
  readonly exitWaits: (order: OrderCore) => void;

  constructor(context: Needs, hearers: Hearers) {
    this.context = context;
    this.hearers = hearers;
    this.tell = outcomesTold(context.notice);
    this.tellTooMuch = tooMuchTold(context.notice);
    this.exitWaits = exitWaitTold(context.notice);
  }

  outcome(strategy: StrategyId, outcome: Outcome, about: OrderAbout = {}): void {
    const { views, manual, host, positions, parentOrders } = this.hearers;
    const { orderId: id, state, price } = outcome;
    views.outcome(strategy, outcome);
    const isDrill = id !== undefined && this.context.drilled.has(orderId(id));
    this.tell(isDrill ? HALT_DRILL : strategy, outcome, about);
    if (state === 'rejected' && about.product !== undefined)
      this.tellTooMuch(strategy, outcome, { held: this.context.books.book(strategy, about.product).sizeFigure, why: about.why });
    if (manual.tasks.open.length > 0) manual.heard(outcome);
    if (id !== undefined && state !== 'refused' && state !== 'lapsed') {
      if (state === 'accepted') positions.nameDust(strategy, price ?? 0);
      // What it wants was decided without this execution; a plan that has begun goes on, or a leg of it would be left alone.
      if (state === 'accepted' && about.wasUnknown)
        parentOrders.endWanted((book, _, isBegun) => book === strategy && !isBegun, 'LATE_EXECUTION');
      parentOrders.settled(orderId(id), state);
    }
    host.outcome(strategy, outcome);
  }

  attempted(plan: Plan, attempt: ChildOrderResult, quote: Quote): void {
    this.hearers.manual.attempted(plan, attempt, quote);
  }

  runaway(strategy: StrategyId, why: string): void {
    this.hearers.strategySwitch.disable(strategy, { reason: 'RUNAWAY', who: 'kairos', why });
  }
}

/** Says that an exit waits for a person. */
function exitWaitTold(notice: Notice): (order: OrderCore) => void {
  return ({ strategy, product, side, figures, quoteCcy }) => {
    const worth = worthOf(figures);
    notice(
      'error',
      `${strategy}: ${side} ${figures.size} ${product} closes a position and is worth ${worth} ${quoteCcy}, more than risk.maxExitValue, and waits for the consent of a person: ${consentCommand({ strategy, product, worth: worth.toString() })}`,
    );
  };
}

/** Who stands before the order of a halt drill. */
export const HALT_DRILL = 'halt drill';

/** Says what became of each order, and of a strategy's first refusal for each reason; the journal has them all. */
export function outcomesTold(notice: Notice): (strategy: string, outcome: Outcome, about?: OrderAbout) => void {
  const refused = new Set<string>();
  return (strategy, { state, side, size, price, orderId, reason }, { why, checks = [] } = {}) => {
    const what = `${strategy}: ${side} ${size} at ${price}, order ${orderId}`;
    const said = why === undefined ? '' : `: ${why}`;
    if (state === 'refused') {
      const key = `${strategy} ${reason}`;
      if (reason === null || refused.has(key)) return;
      refused.add(key);
      const words = refusalWords(reason, checks);
      notice('info', `${strategy}: ${side} refused: ${reason}, ${words} (logged once; kairos why-not --strategy ${strategy})`);
    } else if (state === 'accepted') notice('info', `${what}: accepted`);
    else if (state === 'unknown')
      notice('error', `${what}: outcome unknown (${reason}); nothing is opened in its product until it is resolved${said}`);
    else if (state !== 'lapsed')
      notice(strategy === HALT_DRILL && state === 'not_sent' ? 'info' : 'warn', `${what}: ${state} (${reason})${said}`);
  };
}

/** Said of a sale of more than the account has. */
const TOO_MUCH = /insufficient|not enough|exceeds?\b|balance|too (?:much|large)|more than (?:is )?(?:held|available)/i;

/** A sale of all that is held may leave less than a step of sizes behind. */
const WHOLE = 0.99;

/**
 * Says once of each strategy that the account has less than its book sells: where a sale of all that it held was rejected as too much.
 * `held` is what the strategy holds of its product.
 */
export function tooMuchTold(
  notice: Notice,
): (strategy: string, outcome: Outcome, about: { readonly held: number; readonly why: string | undefined }) => void {
  const told = new Set<string>();
  return (strategy, { state, side, size }, { held, why }) => {
    const isAll = held > 0 && size !== undefined && size >= held * WHOLE;
    if (state !== 'rejected' || side !== 'sell' || !isAll || why === undefined || !TOO_MUCH.test(why)) return;
    if (told.has(strategy)) return;
    told.add(strategy);
    notice(
      'error',
      `${strategy}: the account holds less than the book sells; fees may be taken in base currency: set service.feeIn: received and start again, then type \`kairos reconcile\``,
    );
  };
}
