import { isDust } from '#core/portfolio/valuation.ts';
import type { View } from '#core/strategy/contract.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import type { RowView } from '#core/strategy/quiet-signals.ts';
import type { LaneId, StrategyId } from '#domain/names.ts';
import { oncePer } from '#domain/once-per.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Quote, QuoteSide, Side } from '#domain/quote.ts';
import type { QuoteColumns, SideColumns } from '#domain/quote-columns.ts';
import { NO_LANES, NOTHING_ELSEWHERE, type ViewedBook, type Views, viewOf } from './views.ts';

/** What the views of rows are made from. */
interface RowViewInput {
  readonly columns: QuoteColumns;
  readonly lane: LaneId;
  /** The quote of a row, as it will be delivered. */
  readonly quoteOf: (row: number) => Quote;
  readonly canShort: boolean;
  readonly instance: StrategyInstance;
  /** The state that the strategy keeps. */
  readonly state: () => unknown;
}

/** The view of a strategy without further inputs over the rows of its lane, while nothing else changes. Its quote is whichever row is shown, and each figure says when it is read. */
export class RowViews implements RowView {
  readonly columns: QuoteColumns;
  count = 0;
  hasRead = false;
  view: View;
  private row = 0;
  /** True where the price of a row says whether what is held is dust. */
  private isDustByRow = false;
  private readonly input: RowViewInput;
  private readonly quote: Quote;
  private holding: ViewedBook;
  private last: Outcome | undefined;

  constructor(input: RowViewInput, holding: ViewedBook, last: Outcome | undefined) {
    this.columns = input.columns;
    this.input = input;
    this.quote = quoteRow(input, this.read);
    this.holding = holding;
    this.last = last;
    this.view = this.made();
  }

  to(row: number): void {
    this.row = row;
    if (this.isDustByRow) this.view = this.made();
  }

  forget(): void {
    this.hasRead = this.isDustByRow;
  }

  /** Goes on to what is held after an order. */
  stand(holding: ViewedBook, last: Outcome | undefined): void {
    if (holding === this.holding && last === this.last) return;
    this.holding = holding;
    this.last = last;
    this.count += 1;
    this.view = this.made();
  }

  /** Of its view only the row goes on by itself. */
  private made(): View {
    const { quote, holding, last } = this;
    const { columns, instance, canShort, state } = this.input;
    const read = this.read;
    this.isDustByRow = !isDust(holding.held, holding.of) && isDust(holding.held, holding.of, leastOf(columns));
    return viewOf({
      get now() {
        return columns.at[read()] ?? 0;
      },
      get state() {
        read();
        return state();
      },
      quote,
      quotes: { main: quote },
      lanes: NO_LANES,
      elsewhere: NOTHING_ELSEWHERE,
      instance,
      holding,
      last,
      canShort,
      random: unforeseen,
    });
  }

  private readonly read = (): number => {
    this.hasRead = true;
    return this.row;
  };
}

/** What instances are shown at each row of their lanes, made anew for other columns. */
export class ShownRows {
  private readonly views: Pick<Views, 'standing'>;
  private readonly byId = new Map<StrategyId, RowViews>();

  constructor(views: Pick<Views, 'standing'>) {
    this.views = views;
  }

  /** Undefined where `Views.standing` is. */
  of(instance: StrategyInstance, given: Pick<RowViewInput, 'columns' | 'quoteOf' | 'state'>): RowView | undefined {
    const standing = this.views.standing(instance);
    if (!standing) return undefined;
    const { lane, canShort, holding, last } = standing;
    const before = this.byId.get(instance.id);
    if (before?.columns === given.columns) {
      before.stand(holding, last);
      return before;
    }
    const rows = new RowViews({ ...given, lane, canShort, instance }, holding, last);
    this.byId.set(instance.id, rows);
    return rows;
  }
}

function lowest(prices: Float64Array): number {
  let found = Number.POSITIVE_INFINITY;
  for (const price of prices) if (price > 0 && price < found) found = price;
  return found;
}

/** The least prices of columns that are prices. */
const leastOf = oncePer(
  ({ buy, sell }: QuoteColumns): Record<Side, { readonly price: number }> => ({
    buy: { price: lowest(buy.price) },
    sell: { price: lowest(sell.price) },
  }),
);

/** A number that is drawn is gone: who wants one is asked at the quote itself. */
function unforeseen(): never {
  throw new RangeError('no number is drawn ahead');
}

/** The quote of the row that `read` goes to. */
function quoteRow({ columns, lane, quoteOf }: Pick<RowViewInput, 'columns' | 'lane' | 'quoteOf'>, read: () => number): Quote {
  const { product, baseCcy, quoteCcy } = columns;
  return {
    get id() {
      return quoteOf(read()).id;
    },
    product,
    baseCcy,
    quoteCcy,
    buy: sideRow(columns.buy, read),
    sell: sideRow(columns.sell, read),
    get feePercentage() {
      return columns.feePercentage[read()] ?? 0;
    },
    get spread() {
      return columns.spread[read()] ?? 0;
    },
    get spreadPercentage() {
      return columns.spreadPercentage[read()] ?? 0;
    },
    get dailyChangePercentage() {
      return columns.dailyChangePercentage[read()] ?? 0;
    },
    get validUntil() {
      return columns.validUntil[read()] ?? 0;
    },
    lane,
    get epoch() {
      return quoteOf(read()).epoch;
    },
  };
}

function sideRow(columns: SideColumns, read: () => number): QuoteSide {
  return {
    get price() {
      return columns.price[read()] ?? 0;
    },
    get size() {
      return columns.size[read()] ?? 0;
    },
    get value() {
      return columns.value[read()] ?? 0;
    },
    get feeInBaseCcy() {
      return columns.feeInBaseCcy[read()] ?? 0;
    },
    get feeInQuoteCcy() {
      return columns.feeInQuoteCcy[read()] ?? 0;
    },
    get slippage() {
      return columns.slippage[read()] ?? 0;
    },
    get slippagePercentage() {
      return columns.slippagePercentage[read()] ?? 0;
    },
  };
}
