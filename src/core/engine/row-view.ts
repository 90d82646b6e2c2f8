import { closingSide } from '#core/portfolio/valuation.ts';
import type { PositionView, View } from '#core/strategy/contract.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import type { RowView } from '#core/strategy/quiet-signals.ts';
import type { LaneId } from '#domain/names.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';
import type { QuoteColumns, SideColumns } from '#domain/quote-columns.ts';
import type { Holding } from './view.ts';

/** What the view of a row is made from, besides the row itself. */
export interface RowViewInput {
  readonly rows: RowQuote;
  readonly canShort: boolean;
  readonly instance: StrategyInstance;
  /** The state that the strategy keeps. */
  readonly state: () => unknown;
}

/** What it holds and what became of its last order: the same from row to row. */
interface HeldNow {
  readonly holding: Holding;
  readonly last: Outcome | undefined;
}

/** A view that goes on to what is held after an order. */
export interface StandingRowView extends RowView {
  stand(at: HeldNow): void;
}

type Changing<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/** The present row, and whether anything was read that differs by row. */
interface Pointer {
  row: number;
  hasRead: boolean;
}

const NO_LANES: View['lanes'] = Object.freeze({});

/**
 * What a strategy without further inputs would be shown at each row of its lane, while nothing else changes: the same figures as at
 * the quote itself, read from the columns when they are asked for.
 */
export function rowView({ rows, canShort, instance, state }: RowViewInput, standing: HeldNow): StandingRowView {
  const { columns, quote, at } = rows;
  let { holding, last } = standing;
  let { size, average } = holding.position;
  let count = 0;
  const held: Changing<PositionView> = {
    ...holding.position,
    get unrealised() {
      at.hasRead = true;
      return average === undefined ? 0 : (closingAt(columns, size, at.row) - average) * size;
    },
  };
  const view: Changing<View> = {
    get now() {
      at.hasRead = true;
      return columns.at[at.row] ?? 0;
    },
    quote,
    quotes: { main: quote },
    lanes: NO_LANES,
    position: holding.nothing ?? held,
    inFlight: holding.inFlight,
    last,
    get equity() {
      at.hasRead = true;
      return holding.cash + size * closingAt(columns, size, at.row);
    },
    budgetLeft: holding.cash,
    product: holding.product,
    canShort,
    amount: instance.amount,
    get state() {
      at.hasRead = true;
      return state() as undefined;
    },
    random: unforeseen,
  };
  return {
    to(row) {
      at.row = row;
    },
    view,
    get count() {
      return count;
    },
    stand(now) {
      if (now.holding === holding && now.last === last) return;
      ({ holding, last } = now);
      ({ size, average } = holding.position);
      count += 1;
      Object.assign(held, holding.position);
      view.position = holding.nothing ?? held;
      view.inFlight = holding.inFlight;
      view.last = last;
      view.budgetLeft = holding.cash;
      view.product = holding.product;
    },
    get hasRead() {
      return at.hasRead;
    },
    forget() {
      at.hasRead = false;
    },
  };
}

/** The quotes of a lane as one that goes from row to row: the same for all that its reader is shown meanwhile. */
interface RowQuote {
  readonly columns: QuoteColumns;
  readonly quote: Quote;
  readonly at: Pointer;
}

interface RowQuoteInput {
  readonly columns: QuoteColumns;
  readonly lane: LaneId;
  /** The quote of a row, as it will be delivered. */
  readonly quoteOf: (row: number) => Quote;
}

/** Stands at the first row. */
export function rowQuote(input: RowQuoteInput): RowQuote {
  const at: Pointer = { row: 0, hasRead: false };
  return { columns: input.columns, quote: quoteRow(input, at), at };
}

/** A number that is drawn is gone: who wants one is asked at the quote itself. */
function unforeseen(): never {
  throw new RangeError('no number is drawn ahead');
}

function closingAt(columns: QuoteColumns, size: number, row: number): number {
  return closingSide(columns, size).price[row] ?? Number.NaN;
}

/** The quote of whichever row is shown: each of its figures says so when it is read. */
function quoteRow({ columns, lane, quoteOf }: RowQuoteInput, at: Pointer): Quote {
  const { product, baseCcy, quoteCcy } = columns;
  const figure = (column: Float64Array): number => {
    at.hasRead = true;
    return column[at.row] ?? 0;
  };
  return {
    get id() {
      at.hasRead = true;
      return quoteOf(at.row).id;
    },
    product,
    baseCcy,
    quoteCcy,
    buy: sideRow(columns.buy, figure),
    sell: sideRow(columns.sell, figure),
    get feePercentage() {
      return figure(columns.feePercentage);
    },
    get spread() {
      return figure(columns.spread);
    },
    get spreadPercentage() {
      return figure(columns.spreadPercentage);
    },
    get dailyChangePercentage() {
      return figure(columns.dailyChangePercentage);
    },
    get validUntil() {
      return figure(columns.validUntil);
    },
    lane,
    get epoch() {
      at.hasRead = true;
      return quoteOf(at.row).epoch;
    },
  };
}

function sideRow(columns: SideColumns, figure: (column: Float64Array) => number): QuoteSide {
  return {
    get price() {
      return figure(columns.price);
    },
    get size() {
      return figure(columns.size);
    },
    get value() {
      return figure(columns.value);
    },
    get feeInBaseCcy() {
      return figure(columns.feeInBaseCcy);
    },
    get feeInQuoteCcy() {
      return figure(columns.feeInQuoteCcy);
    },
    get slippage() {
      return figure(columns.slippage);
    },
    get slippagePercentage() {
      return figure(columns.slippagePercentage);
    },
  };
}
