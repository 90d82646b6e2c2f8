import { OPENING, PRODUCTS, quotedIn } from '#lab/simulator/service/products.ts';
import { feeInBase, NOTHING } from './folded-book.ts';
import { type FoldedOrder, type Interval, type JournalFold, worstOf } from './journal-fold.ts';

/** Doubles add up decimals. */
export const NEARLY = 1e-7;
/** How far prices of other products may be from those that rows told last; tenfold where a fault made them so (F33). */
const MOVED = 0.06;
const TENFOLD = 10;
/** What may be unsure of a budget. */
const CENT = 0.01;

type Cap = 'off' | { readonly byCurrency: Readonly<Record<string, string>> };
type Count = number | 'off';

/** The settings of a run that its orders were held against. */
export interface RunSettings {
  readonly account: { readonly allowShort: readonly string[] };
  readonly trading: { readonly arming: { readonly arm: 'auto' | 'manual'; readonly rearmAfterMs: number | null } };
  readonly risk: Readonly<
    Record<'maxOrderValue' | 'maxDayValue' | 'maxPositionValue' | 'maxStrategyValue' | 'maxTotalValue' | 'maxExitValue', Cap> &
      Record<
        | 'maxOrdersPerMinute'
        | 'maxOrdersPerMinuteOfStrategy'
        | 'maxOrdersPerMinuteOfProduct'
        | 'maxUnknown'
        | 'maxRejectionStreak'
        | 'duplicateWindowMs'
        | 'maxSpreadPct'
        | 'maxSlippagePct',
        Count
      >
  > & {
    readonly minTimeLeftMs: Count;
    readonly lossCooldown: number;
    readonly maxLossStreakOfAll: Count;
    readonly reducing: { readonly orderSharePct: Count };
  };
  readonly strategies: readonly {
    readonly id: string;
    readonly product: string;
    readonly budget: Readonly<Record<string, string>> | null;
    readonly inputs: Readonly<Record<string, { readonly product: string; readonly amount?: object }>>;
    readonly exits: Readonly<Record<string, number | boolean | null>> | null;
  }[];
}

/** A figure that is held against a limit; `within`: what it may differ by. */
export interface HeldFigure {
  readonly figure: number;
  readonly limit: number;
  readonly within: number;
}

/** What an order would do where it stands, before its row is folded. */
export interface OrderAtHand {
  /** A price that no market has was dealt in this history. */
  readonly hasWildPrices: boolean;
  /** A product had other limits for a while (F19). */
  readonly hasOtherLimits: boolean;
  readonly fold: JournalFold;
  readonly order: Omit<FoldedOrder, 'state' | 'isExit' | 'id'>;
  readonly interval: Interval;
  readonly settings: RunSettings;
}

const capOf = (cap: Cap, currency: string): number | null => (cap === 'off' ? null : Number(cap.byCurrency[currency] ?? Number.NaN));

/** Figures of the checks of an opening, by their names; null: the check does not apply. */
export const OF_OPENINGS: Readonly<Record<string, (of: OrderAtHand) => HeldFigure | null>> = {
  MAX_ORDER_VALUE: (of) => valueFigure(of, of.settings.risk.maxOrderValue, worthOf(of)),
  MAX_DAY_VALUE: (of) => valueFigure(of, of.settings.risk.maxDayValue, worthOf(of) + of.fold.dayValue(of.order.at, of.order.quoteCcy)),
  MAX_POSITION_VALUE: (of) => valueFigure(of, of.settings.risk.maxPositionValue, exposureOf(of)),
  MAX_STRATEGY_VALUE: (of) =>
    valueFigure(of, of.settings.risk.maxStrategyValue, ownAfter(of) * of.order.price, othersOf(of, of.order.strategy)),
  MAX_TOTAL_VALUE: (of) => valueFigure(of, of.settings.risk.maxTotalValue, exposureOf(of), othersOf(of, null)),
  MAX_ORDERS_PER_MINUTE_OF_STRATEGY: ({ fold, order, settings }) =>
    countFigure(fold.inMinute(order.at, { strategy: order.strategy }) + 1, settings.risk.maxOrdersPerMinuteOfStrategy),
  MAX_ORDERS_PER_MINUTE_OF_PRODUCT: ({ fold, order, settings }) =>
    countFigure(fold.inMinute(order.at, { product: order.product }) + 1, settings.risk.maxOrdersPerMinuteOfProduct),
  MAX_ORDERS_PER_MINUTE: ({ fold, order, settings: { risk } }) => {
    const { orderSharePct: share } = risk.reducing;
    const most = risk.maxOrdersPerMinute;
    const openings = most === 'off' ? most : Math.max(1, Math.floor((most * (100 - (share === 'off' ? 0 : share))) / 100));
    return countFigure(fold.inMinute(order.at, {}) + 1, openings);
  },
  UNKNOWN_BUDGET: ({ fold, settings }) => countFigure(fold.unknownOpenings, settings.risk.maxUnknown),
  SHORT_NOT_ALLOWED: ({ order, interval, settings }) =>
    order.side === 'buy' || settings.account.allowShort.includes(order.product)
      ? null
      : { figure: interval.low - order.size - feeInBase(order), limit: 0, within: NOTHING },
  BUDGET: (of) => (of.order.side === 'sell' || of.order.strategy === 'manual' ? null : { figure: costOf(of), ...budgetOf(of) }),
  INSUFFICIENT_FUNDS: (of) => {
    const { order, fold } = of;
    const held = Number(OPENING[order.quoteCcy] ?? 0) + (fold.moved.get(order.quoteCcy) ?? 0) - fold.openPurchases(order.quoteCcy, null);
    return order.side === 'sell' ? null : { figure: costOf(of), limit: held, within: NEARLY * Math.abs(held) };
  },
  DUPLICATE: ({ fold, order, settings }) => {
    const twin = fold.twinOf({ ...order, id: '', isExit: false, state: 'intent' });
    const { duplicateWindowMs } = settings.risk;
    return twin === undefined || duplicateWindowMs === 'off' ? null : { figure: order.at - twin.at, limit: duplicateWindowMs, within: 0 };
  },
};

/** The same of an exit. */
export const OF_EXITS: Readonly<Record<string, (of: OrderAtHand) => HeldFigure | null>> = {
  MAX_EXIT_VALUE: (of) => {
    const wanted = valueFigure(of, of.settings.risk.maxExitValue, worthOf(of));
    const allowed = of.fold.allowed.get(`${of.order.strategy} ${of.order.product}`);
    return wanted && allowed !== undefined && wanted.figure > wanted.limit ? { ...wanted, limit: allowed } : wanted;
  },
};

/** Checks that both kinds have, and those that hang on prices of the moment. */
export const OF_BOTH: Readonly<Record<string, (of: OrderAtHand) => HeldFigure | null>> = {
  SIZE_LIMITS: ({ order: { size, product }, hasOtherLimits }) => ({
    figure: size,
    limit: hasOtherLimits ? Number.NaN : (PRODUCTS.find(({ code }) => code === product)?.minSize ?? 0),
    within: NOTHING,
  }),
};

const worthOf = ({ order: { value, price, size } }: OrderAtHand): number => Math.max(value, price * size);

const costOf = ({ order: { value, fee, feeCcy, quoteCcy } }: OrderAtHand): number => value + (feeCcy === quoteCcy ? fee : 0);

function ownAfter({ order, interval: { low, high } }: OrderAtHand): number {
  return worstOf({ low: order.side === 'sell' ? low - order.size : low, high: order.side === 'buy' ? high + order.size : high });
}

function exposureOf(of: OrderAtHand): number {
  const { order, fold } = of;
  return (fold.grossBeside(order.strategy, order.product) + ownAfter(of)) * order.price;
}

/** What is held in other products, by their last prices. */
function othersOf({ fold, order }: OrderAtHand, strategy: string | null): number {
  let sum = 0;
  for (const product of fold.products()) {
    const quoted = PRODUCTS.find(({ code }) => code === product);
    if (product === order.product || quoted?.quoteCcy !== order.quoteCcy) continue;
    const size = strategy === null ? fold.grossBeside('', product) : worstOf(fold.interval(strategy, product));
    sum += size * (fold.prices.get(product) ?? quoted.anchor);
  }
  return sum;
}

function valueFigure({ order, hasWildPrices }: OrderAtHand, cap: Cap, own: number, others = 0): HeldFigure | null {
  const limit = capOf(cap, order.quoteCcy);
  return limit === null ? null : { figure: own + others, limit, within: others * (hasWildPrices ? TENFOLD : MOVED) };
}

const countFigure = (figure: number, limit: Count): HeldFigure | null => (limit === 'off' ? null : { figure, limit, within: 0 });

/** What is left of a strategy's budget in a currency, over all that it traded. */
function budgetOf({ fold, order: { strategy, quoteCcy }, settings }: OrderAtHand): Pick<HeldFigure, 'limit' | 'within'> {
  const own = settings.strategies.find(({ id }) => id === strategy);
  const opening = own?.budget ? Number(own.budget[quoteCcy] ?? 0) : Number.NaN;
  const ofCurrency = [...fold.products()].filter((one) => quotedIn(one) === quoteCcy);
  const cash = ofCurrency.reduce((sum, product) => sum + fold.book(strategy, product).cash, 0);
  return { limit: opening + cash - fold.openPurchases(quoteCcy, strategy), within: CENT };
}

/** What is counted where a limit of numbers refuses. */
export const OF_COUNTS: Readonly<
  Record<
    string,
    (of: Pick<OrderAtHand, 'fold' | 'settings'> & { readonly at: number; readonly strategy: string; readonly product: string }) => number
  >
> = {
  UNKNOWN_BUDGET: ({ fold }) => fold.unknownOpenings,
  MAX_ORDERS_PER_MINUTE: ({ fold, at }) => fold.inMinute(at, {}) + 1,
  MAX_ORDERS_PER_MINUTE_OF_STRATEGY: ({ fold, at, strategy }) => fold.inMinute(at, { strategy }) + 1,
  MAX_ORDERS_PER_MINUTE_OF_PRODUCT: ({ fold, at, product }) => fold.inMinute(at, { product }) + 1,
};
