import type { Observable } from 'rxjs';
import { invariant } from '#domain/errors.ts';
import type { Hold, Intent } from '#domain/intent.ts';
import type { Amount } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import type { OrderState } from '#domain/order.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Quote, Side } from '#domain/quote.ts';
import type { InputSpecs, InputValue, Received, SignalInput } from './inputs.ts';
import type { ParamSpecs, ParamValues } from './params.ts';

export type { Outcome };

/** What a strategy holds in a product, with orders in flight counted at their worst end. Sizes in base currency. */
export interface PositionView {
  /** Settled size: positive is long, negative short. */
  readonly size: number;
  /** Smallest and largest size possible once everything in flight or unknown has settled. */
  readonly low: number;
  readonly high: number;
  /** Average entry: what its entries cost a unit, in quote currency, which closing a part does not move; undefined when flat. */
  readonly average: number | undefined;
  readonly openedAt: Millis | undefined;
  /** Fills that built the present position. */
  readonly entries: number;
  /** Profit at the closing side of the latest quote against the average entry, before fees; undefined without a quote. */
  readonly unrealised: number | undefined;
  readonly isFlat: boolean;
  readonly isLong: boolean;
  readonly isShort: boolean;
}

/** An order in flight as `decide` sees it: size in base currency, price in quote currency. */
export interface OrderView {
  readonly orderId: string;
  readonly side: Side;
  readonly size: number;
  readonly price: number;
  readonly state: OrderState;
}

/** A product's limits: least size and size step in base currency, least value and price step in quote currency. */
export interface ProductLimits {
  readonly code: string;
  readonly minSize: number;
  readonly minNotionalValue: number;
  readonly sizeIncrement: number;
  readonly priceIncrement: number;
}

/** What there is to know of a lane input: where intents go with `on`. */
export interface LaneView {
  /** Its latest quote. */
  readonly quote: Quote | undefined;
  /** What the strategy holds in its product. */
  readonly position: PositionView;
  /** Its configured amount. */
  readonly amount: Amount;
  readonly product: ProductLimits;
  /** True where `account.allowShort` has its product. */
  readonly canShort: boolean;
}

/** Of each input that is a signal from outside, the latest. */
type LastSignals<Inputs extends InputSpecs> = string extends keyof Inputs
  ? Readonly<Record<string, Received<Readonly<Record<string, unknown>>> | undefined>>
  : { readonly [Name in keyof Inputs as Inputs[Name] extends SignalInput<unknown> ? Name : never]: InputValue<Inputs[Name]> | undefined };

/** All that `decide` may look at. A fresh reading at each call; nothing in it can be changed. */
export interface View<State = undefined, Inputs extends InputSpecs = InputSpecs> {
  readonly now: Millis;
  /** Latest quote of the main input. */
  readonly quote: Quote | undefined;
  /** Latest quote of each input by name; `main` is the configured lane. */
  readonly quotes: Readonly<Record<string, Quote | undefined>>;
  /** Lane inputs by name, once their products are known. */
  readonly lanes: Readonly<Record<string, LaneView>>;
  readonly position: PositionView;
  readonly inFlight: readonly OrderView[];
  readonly last: Outcome | undefined;
  /** Budget plus realised and unrealised profit, of all that it traded in the product's quote currency; undefined while one of these is held and has no quote. */
  readonly equity: number | undefined;
  /** What the strategy may still spend, in the product's quote currency: all that it trades in it spends of it. */
  readonly budgetLeft: number;
  readonly product: ProductLimits;
  /** True where `account.allowShort` has the product. */
  readonly canShort: boolean;
  /** The configured amount, which is the size of the main lane. */
  readonly amount: Amount;
  /** The latest signal of each input from outside; undefined before the first, and while it is stale. */
  readonly inputs: LastSignals<Inputs>;
  readonly state: State;
  /** A number in [0, 1) from the strategy's own seeded sequence. */
  random(): number;
}

/** A confirmed deposit, as strategies may listen to it. */
export interface Deposit {
  readonly at: Millis;
  /** In small letters, as products have it. */
  readonly currency: string;
  /** Decimal text. */
  readonly amount: string;
}

/** What a strategy listens to. Streams run on engine time and emit only while an event is handled. */
export interface Market<Inputs extends InputSpecs = InputSpecs> {
  /** Every tradable or display quote of the main lane, newest wins where they come faster than they are handled. */
  readonly quotes$: Observable<Quote>;
  /** Further inputs by name: quotes of lanes, and what is only looked at. */
  readonly inputs: { readonly [Name in keyof Inputs]: Observable<InputValue<Inputs[Name]>> };
  /** Emits its count every `duration` of engine time: milliseconds, or text like `500ms`, `30s`, `5m`, `1h`. */
  every(duration: number | string): Observable<number>;
  /** Emits the due time at each time of a cron expression, in UTC. */
  at(cron: string): Observable<Millis>;
  /** What became of this strategy's intents. */
  readonly outcomes$: Observable<Outcome>;
  /** Money that came into the account while the daemon runs, by a webhook of the service or booked by a person. */
  readonly deposits$: Observable<Deposit>;
  /**
   * Emits engine time once, in backtests alone: the last quote of the data was played, and no order is on its way. An order that is
   * decided then is executed on the last quotes, while they live. Live and on paper it never emits.
   */
  readonly dataEnds$: Observable<Millis>;
}

/** What a strategy's state may react to. */
export type StateEvent =
  | { readonly type: 'outcome'; readonly outcome: Outcome }
  | { readonly type: 'deposit'; readonly deposit: Deposit }
  | { readonly type: 'signal'; readonly signal: unknown };

/** A state that outlives restarts: what it is at first, and what it becomes with each event. `on` is pure. */
export interface StateSpec<State, Specs extends ParamSpecs = ParamSpecs> {
  readonly initial: State;
  on(state: State, event: StateEvent, params: ParamValues<Specs>): State;
}

/** What `decide` may return: nothing, one intent, a hold with its reason, or intents for several legs. */
export type Decided = Intent | Hold | readonly Intent[] | undefined;

/** A strategy module's default export, made by `strategy()`. */
export interface StrategyDefinition<
  Specs extends ParamSpecs = ParamSpecs,
  Signal = unknown,
  State = undefined,
  Inputs extends InputSpecs = InputSpecs,
> {
  readonly name: string;
  readonly params?: Specs;
  /** Returns true for a valid combination of parameters. */
  where?(params: ParamValues<Specs>): boolean;
  /** How much past the signals need before decisions count. */
  warmup?(params: ParamValues<Specs>): { readonly quotes: number } | { readonly duration: string };
  /** Further inputs by name, `lane()`, `basic()`, `fullBook()` or `signal()`, which the configuration binds. */
  readonly inputs?: Inputs;
  readonly state?: StateSpec<State, Specs>;
  /** Ask `decide` also while an order of the strategy is in flight in the product. */
  readonly concurrent?: boolean;
  /** When one of several legs comes to nothing: keep those that were executed, or undo them. Default keep. */
  readonly onLegFailure?: 'keep' | 'unwind';
  signals(market: Market<Inputs>, params: ParamValues<Specs>): Observable<Signal>;
  /** Pure: what to do about a signal, or nothing. */
  decide(signal: Signal, view: View<State, Inputs>, params: ParamValues<Specs>): Decided;
}

const MARK: unique symbol = Symbol.for('kairos.strategy');

/** A definition that has passed through `strategy()`. */
export interface MarkedStrategy extends StrategyDefinition {
  readonly [MARK]: true;
}

/** Declares a strategy; the module's default export. */
export function strategy<
  const Specs extends ParamSpecs = ParamSpecs,
  Signal = unknown,
  State = undefined,
  Inputs extends InputSpecs = InputSpecs,
>(definition: StrategyDefinition<Specs, Signal, State, Inputs>): MarkedStrategy {
  const marked: unknown = Object.freeze({ ...definition, [MARK]: true });
  invariant(isStrategy(marked), 'a marked strategy is a strategy');
  return marked;
}

export function isStrategy(value: unknown): value is MarkedStrategy {
  return typeof value === 'object' && value !== null && MARK in value && value[MARK] === true;
}
