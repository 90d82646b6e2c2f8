import { decimalOf } from './decimal.ts';
import { type Currency, type Millis, type ProductCode, productCode, type StrategyId, strategyId } from './names.ts';
import { type FillText, fillOf } from './order.ts';
import {
  closeResult,
  FLAT,
  type Position,
  type PositionText,
  positionAfter,
  positionCorrected,
  positionOf,
  positionText,
} from './position.ts';

/** The book of one strategy in one product after earlier runs. */
interface PastBook extends PositionText {
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  readonly quoteCcy: Currency;
}

/** The books that result from the fills of earlier runs. */
export interface PastBooks {
  /** In the order of their first fills. */
  readonly books: readonly PastBook[];
  /** Consecutive losing closes, by strategy. */
  readonly losses: Readonly<Record<string, LossRunText>>;
  /** Consecutive losing closes of all strategies together. */
  readonly lossesOfAll: number;
}

/** No fill yet. */
export const NO_BOOKS: PastBooks = { books: [], losses: {}, lossesOfAll: 0 };

/** A fill with the book that it belongs to. */
export interface BookedFill {
  readonly strategy: string;
  readonly product: string;
  readonly at: Millis;
  readonly fill: FillText;
}

/** A correction of one book's position to what the account holds; amount as decimal text. */
export interface BookCorrection {
  readonly strategy: string;
  readonly product: string;
  readonly currency: string;
  readonly amount: string;
}

interface OpenBook extends Pick<PastBook, 'strategy' | 'product' | 'quoteCcy'> {
  position: Position;
}

/** The longest run of losses for which times are kept. */
const LONGEST = 1_000;

/** Builds books from fills, from the first fill or from the books of earlier fills, with the same result. */
export class BooksSoFar {
  private readonly books = new Map<string, OpenBook>();
  private readonly losses = new Map<string, LossRun>();
  private lossesOfAll: number;

  constructor(past: PastBooks = NO_BOOKS) {
    for (const { strategy, product, quoteCcy, ...text } of past.books) {
      this.books.set(keyOf(strategy, product), { strategy, product, quoteCcy, position: positionOf(text) });
    }
    for (const [strategy, run] of Object.entries(past.losses)) this.losses.set(strategy, new LossRun(run));
    this.lossesOfAll = past.lossesOfAll;
  }

  /** Books a fill. Fills must come in journal order. */
  add({ strategy, product, at, fill: text }: BookedFill): void {
    const fill = fillOf(text);
    const key = keyOf(strategy, product);
    let book = this.books.get(key);
    if (!book) {
      book = { strategy: strategyId(strategy), product: productCode(product), quoteCcy: fill.quoteCcy, position: FLAT };
      this.books.set(key, book);
    }
    const result = closeResult(book.position, fill);
    if (result !== undefined) this.closed(strategy, result.isNegative(), at);
    book.position = positionAfter(book.position, fill, at);
  }

  /** Books the cost or income of holding a position, in its quote currency. */
  financed({ strategy, product, amount }: { readonly strategy: string; readonly product: string; readonly amount: string }): void {
    const book = this.books.get(keyOf(strategy, product));
    if (book) book.position = { ...book.position, cash: book.position.cash.plus(amount) };
  }

  /** Books a person's correction, in one of the product's currencies. */
  corrected({ strategy, product, currency, amount }: BookCorrection): void {
    const book = this.books.get(keyOf(strategy, product));
    if (book) book.position = positionCorrected(book.position, decimalOf(amount), currency === book.quoteCcy);
  }

  /** A person has taken note of the losses so far, or a rule has: they are counted from here on. */
  countAnew(): void {
    this.losses.clear();
    this.lossesOfAll = 0;
  }

  text(): PastBooks {
    return {
      books: [...this.books.values()].map(({ position, ...book }) => ({ ...book, ...positionText(position) })),
      losses: Object.fromEntries([...this.losses].map(([strategy, run]) => [strategy, run.text()])),
      lossesOfAll: this.lossesOfAll,
    };
  }

  private closed(strategy: string, lost: boolean, at: Millis): void {
    this.lossesOfAll = lost ? this.lossesOfAll + 1 : 0;
    let run = this.losses.get(strategy);
    if (!run) {
      run = new LossRun();
      this.losses.set(strategy, run);
    }
    run.add(lost, at);
  }
}

const keyOf = (strategy: string, product: string): string => `${strategy} ${product}`;

/** A run of losing closes, independent of the limit that it is held against. */
interface LossRunText {
  /** Losses since the last close that won, or since the first. */
  readonly losses: number;
  /** At index n - 1: when consecutive losses last reached n, 2n, 3n .. */
  readonly reachedAt: readonly Millis[];
}

/** Counts consecutive losing closes. Any limit can be held against them later. */
class LossRun {
  private losses: number;
  private readonly reachedAt: Millis[];

  constructor(past: LossRunText = { losses: 0, reachedAt: [] }) {
    this.losses = past.losses;
    this.reachedAt = [...past.reachedAt];
  }

  /** Counts a close that won or lost. */
  add(lost: boolean, at: Millis): void {
    this.losses = lost ? this.losses + 1 : 0;
    const { losses, reachedAt } = this;
    for (let n = 1; n <= Math.min(losses, LONGEST); n++) if (losses % n === 0) reachedAt[n - 1] = at;
  }

  text(): LossRunText {
    return { losses: this.losses, reachedAt: [...this.reachedAt] };
  }
}
