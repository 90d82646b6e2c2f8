import type { Settings } from '#config/settings.ts';
import { dayOf } from '#domain/utc-day.ts';
import type { PlannedStrategy, SimulationPlan } from '#lab/simulator/plan/plan.ts';
import { quotedIn } from '#lab/simulator/service/products.ts';
import type { Violate } from './finding.ts';
import type { Effect, ServiceHoldings } from './holdings.ts';
import type { WireOrder } from './order-watch.ts';

type Caps = Settings['risk'];

/** Tolerance for price moves between the check of an order and its execution. */
const SLACK = 1.03;
/** Tolerance of sums whose fees are known to some digits only. */
const EXACTLY = 1.000001;
const MINUTE_MS = 60_000;
/** How much sooner a wait may end by the daemon's clock, which follows the service's, in milliseconds. */
const SOONER_MS = 15_000;
/** What financing may take from a budget. */
const FINANCED = 10;

/** Holds orders against the limits of the configuration, by what the service executed (I05). */
export class LimitWatch {
  private readonly holdings: ServiceHoldings;
  private readonly violate: Violate;
  private readonly strategies: ReadonlyMap<string, PlannedStrategy>;
  private risk: Caps | null = null;
  private written: { readonly at: number; readonly effect: Effect }[] = [];
  /** The value of orders, by day and currency. */
  private readonly dayValue = new Map<string, number>();
  /** World times between which the service wants no opening. */
  private wait = { since: 0, until: 0 };
  /** The worth up to which a person lets the exits of a book go, until that is closed. */
  private readonly allowed = new Map<string, number>();

  constructor(plan: SimulationPlan, holdings: ServiceHoldings, violate: Violate) {
    this.holdings = holdings;
    this.violate = violate;
    this.strategies = new Map(plan.strategies.map((one) => [one.id, one]));
  }

  /** A process starts with these limits. */
  hold(risk: Caps): void {
    this.risk = risk;
    this.allowed.clear();
  }

  /** A person lets exits of a book go up to a worth. */
  allow(strategy: string, product: string, worth: number): void {
    this.allowed.set(`${product} ${strategy}`, worth);
  }

  /** An order that is being written. */
  wrote(effect: Effect): void {
    const { risk } = this;
    if (!risk) return;
    const at = intentAt(effect.order);
    this.written = [...this.written.filter((one) => one.at > at - MINUTE_MS), { at, effect }];
    this.addValue(at, effect.product, effect.value);
    if (effect.low === 0 && effect.high === 0) this.allowed.delete(`${effect.product} ${effect.book}`);
    if (effect.isOpening) this.opening(effect, risk);
    else this.exit(effect, risk);
  }

  /** An order of this value is not executed, and counts towards no day; the service may have asked to wait. */
  rejected(
    { product, value, at }: { readonly product: string; readonly value: number; readonly at: number },
    wait: { readonly since: number; readonly until: number },
  ): void {
    this.addValue(at, product, -value);
    if (wait.until > this.wait.until) this.wait = wait;
  }

  private addValue(at: number, product: string, value: number): void {
    this.dayValue.set(dayIn(at, product), this.valueOf(at, product) + value);
  }

  private valueOf(at: number, product: string): number {
    return this.dayValue.get(dayIn(at, product)) ?? 0;
  }

  private opening(effect: Effect, risk: Caps): void {
    const { holdings } = this;
    const { product, book, value, price, signed, order } = effect;
    const most = (limit: Caps['maxOrderValue']): number => capIn(limit, product);
    const { since, until } = this.wait;
    if (order.decidedAt > since && order.decidedAt < until - SOONER_MS)
      this.violate(
        'F09',
        `an opening of ${book} was written ${order.decidedAt - since} ms after the service had asked to wait for ${until - since} ms`,
      );
    this.most(`an opening of ${book}`, value, most(risk.maxOrderValue) * SLACK);
    const after = Math.abs(holdings.position(product, null) + signed) * price;
    if (after > Math.abs(holdings.position(product, null)) * price) this.most('a position', after, most(risk.maxPositionValue) * SLACK);
    this.most("the day's orders", this.valueOf(intentAt(order), product), most(risk.maxDayValue) * EXACTLY);
    if (order.side === 'buy') this.most(`what ${book} has spent`, value + this.spentBy(book, product), this.budgetOf(book));
    const of = (is: (one: Effect) => boolean): number => this.written.filter((one) => is(one.effect)).length;
    const { orderSharePct: forExits } = risk.reducing;
    const forOpenings = 1 - (forExits === 'off' ? 0 : forExits) / 100;
    this.most(
      'orders of a minute',
      of(() => true),
      Math.floor(count(risk.maxOrdersPerMinute) * forOpenings),
    );
    this.most(
      `orders of ${book} in a minute`,
      of((one) => one.book === book),
      count(risk.maxOrdersPerMinuteOfStrategy),
    );
    this.most(
      `orders in ${product} in a minute`,
      of((one) => one.product === product),
      count(risk.maxOrdersPerMinuteOfProduct),
    );
    this.twice(effect, risk);
  }

  /** An opening like the book's order before it, which was executed, comes no sooner than the limit says. */
  private twice({ product, book, signed }: Effect, { duplicateWindowMs }: Caps): void {
    const [before, own] = this.written.filter((one) => one.effect.book === book && one.effect.product === product).slice(-2);
    if (!before || !own || before.effect.signed !== signed || !before.effect.isOpening || before.effect.order.executedAt === null) return;
    this.most(`the haste of a second opening of ${book}`, count(duplicateWindowMs), own.at - before.at);
  }

  private exit({ product, book, value }: Effect, risk: Caps): void {
    const allowed = this.allowed.get(`${product} ${book}`) ?? 0;
    this.most(`an exit of ${book}`, value, Math.max(allowed, capIn(risk.maxExitValue, product)) * EXACTLY);
  }

  /** What a strategy has spent in all of its products of a currency, less what it has earned there. */
  private spentBy(book: string, product: string): number {
    const isSo = (one: { readonly book: string; readonly product: string }): boolean =>
      one.book === book && quotedIn(one.product) === quotedIn(product);
    return this.holdings.ofBooks().reduce((sum, one) => (isSo(one) ? sum - one.cash : sum), 0);
  }

  private budgetOf(book: string): number {
    const planned = this.strategies.get(book);
    return planned ? (planned.budget ?? 50_000) * EXACTLY + FINANCED : Number.POSITIVE_INFINITY;
  }

  private most(what: string, figure: number, limit: number): void {
    if (figure > limit) this.violate('I05', `${what}: ${figure.toFixed(4)}, over the limit of ${limit.toFixed(4)}`);
  }
}

const intentAt = ({ row }: WireOrder): number => Date.parse(row?.intent_at ?? '');

const dayIn = (at: number, product: string): string => `${dayOf(at)} ${quotedIn(product)}`;

const capIn = (limit: Caps['maxOrderValue'] | Caps['maxExitValue'], product: string): number =>
  typeof limit === 'string' ? Number.POSITIVE_INFINITY : Number(limit.byCurrency[quotedIn(product)]);

const count = (limit: number | 'off'): number => (limit === 'off' ? Number.POSITIVE_INFINITY : limit);
