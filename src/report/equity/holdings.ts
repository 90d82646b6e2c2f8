import { DUST } from '#domain/position.ts';
import { noRate } from '#report/no-rate.ts';
import type { LedgerMovement } from '#report/record.ts';
import type { RecordedMarks } from './marks.ts';

/** Kinds of movements of capital, which are not results of trading. */
const FLOWS: ReadonlySet<LedgerMovement['kind']> = new Set(['opening', 'deposit', 'withdrawal']);

export const isFlow = ({ kind }: Pick<LedgerMovement, 'kind'>): boolean => FLOWS.has(kind);

/** True for a budget as a run begins with it. */
export const isOpening = ({ kind }: Pick<LedgerMovement, 'kind'>): boolean => kind === 'opening';

interface Position {
  readonly product: string;
  readonly quoteCcy: string;
  size: number;
  /** The largest size since it was flat or dust. */
  most: number;
  traded: number;
}

const isDust = ({ size, most }: Pick<Position, 'size' | 'most'>): boolean => Math.abs(size) * DUST <= most;

const keyOf = (book: string, product: string): string => JSON.stringify([book, product]);

/** Share of the traded size below which a rest is the rounding error of a closed position. */
const ROUNDING = 1e-9;

/** Currencies of a product. */
export type CurrenciesOf = (product: string) => { readonly baseCcy: string; readonly quoteCcy: string } | undefined;

/**
 * The holdings of all books: a position for each book and product, capital by currency, and trading movements by
 * currency. The two are separate because a rate revalues capital, which is not a result of trading.
 */
export class Holdings {
  private readonly currenciesOf: CurrenciesOf;
  private readonly positions = new Map<string, Position>();
  /** The size of the largest position in each product: all of them count at the price of that one. */
  private readonly largest = new Map<string, number>();
  private readonly capital = new Map<string, number>();
  private readonly earned = new Map<string, number>();
  /** Sums by currency, filled anew at each valuation. */
  private readonly sums = new Map<string, number>();

  constructor(currenciesOf: CurrenciesOf) {
    this.currenciesOf = currenciesOf;
  }

  apply({ book, product, kind, currency, amount: text }: LedgerMovement): void {
    const amount = Number(text);
    const of = product === null ? undefined : this.currenciesOf(product);
    if (product === null || currency !== of?.baseCcy || isFlow({ kind })) {
      add(isFlow({ kind }) ? this.capital : this.earned, currency, amount);
      return;
    }
    const key = keyOf(book, product);
    const position = this.positions.get(key) ?? { product, quoteCcy: of.quoteCcy, size: 0, most: 0, traded: 0 };
    this.positions.set(key, position);
    const { size: before, most } = position;
    position.size += amount;
    // A correction neither opens a position nor turns its sign.
    if (kind === 'correction' && before * position.size <= 0) position.size = 0;
    position.traded += Math.abs(amount);
    if (Math.abs(position.size) <= position.traded * ROUNDING) position.size = 0;
    const size = Math.abs(position.size);
    const isAnew = before * position.size < 0 || (size > Math.abs(before) && isDust({ size: before, most }));
    position.most = isAnew ? size : Math.max(most, size);
    this.largest.set(product, largestOf([...this.positions.values()].filter((one) => one.product === product)));
  }

  /** True with any open position: dust is none. */
  get isInMarket(): boolean {
    for (const position of this.positions.values()) if (!isDust(position)) return true;
    return false;
  }

  /** True where a book has an open position in a product. */
  isOpen(book: string, product: string): boolean {
    const position = this.positions.get(keyOf(book, product));
    return position !== undefined && !isDust(position);
  }

  /** The positions of all books in a product, long or short, in base currency. */
  heldIn(product: string): number {
    let held = 0;
    for (const position of this.positions.values()) if (position.product === product) held += Math.abs(position.size);
    return held;
  }

  /** Products whose prices it depends on, money in other currencies left out. */
  get products(): ReadonlySet<string> {
    return new Set([...this.positions.values()].filter(({ size }) => size !== 0).map(({ product }) => product));
  }

  /** True if all capital is in one currency, which no rate revalues. */
  isCapitalOnlyIn(currency: string): boolean {
    for (const [held, amount] of this.capital) if (held !== currency && amount !== 0) return false;
    return true;
  }

  /** True if trading was in one currency only: then only prices of open positions change its result. */
  isTradedOnlyIn(currency: string): boolean {
    for (const [held, amount] of this.earned) if (held !== currency && amount !== 0) return false;
    for (const { quoteCcy, size } of this.positions.values()) if (quoteCcy !== currency && size !== 0) return false;
    return true;
  }

  /** The position in a product if it is the only one, and the other trading results; undefined otherwise. */
  alone(product: string, currency: string): { readonly size: number; readonly earned: number } | undefined {
    let found: Position | undefined;
    for (const position of this.positions.values()) {
      if (position.size === 0) continue;
      if (found !== undefined || position.product !== product || position.quoteCcy !== currency) return undefined;
      found = position;
    }
    return found && this.isTradedOnlyIn(currency) && this.isCapitalOnlyIn(currency)
      ? { size: found.size, earned: this.earned.get(currency) ?? 0 }
      : undefined;
  }

  /** Turns trading results so far into capital; does nothing if a position has no price. */
  rebase(marks: RecordedMarks): void {
    if (this.addTraded(marks) !== undefined) return;
    for (const [currency, amount] of this.sums) {
      add(this.capital, currency, amount);
      add(this.earned, currency, -amount);
    }
  }

  /** Trading results in one currency: fills and open positions by quote currency, at the newest quotes; or a text on why they are unknown. */
  traded(marks: RecordedMarks, into: string): number | string {
    return this.addTraded(marks) ?? worthOf(this.sums, marks, into);
  }

  /** Total value, capital included, in one currency at the newest quotes; or a text on why there is none. */
  value(marks: RecordedMarks, into: string): number | string {
    const whyNot = this.addTraded(marks);
    if (whyNot !== undefined) return whyNot;
    for (const [currency, amount] of this.capital) add(this.sums, currency, amount);
    return worthOf(this.sums, marks, into);
  }

  /** All that is held by currency, capital included and positions at the newest quotes; undefined where one has no price. */
  sumsHeld(marks: RecordedMarks): ReadonlyMap<string, number> | undefined {
    if (this.addTraded(marks) !== undefined) return undefined;
    for (const [currency, amount] of this.capital) add(this.sums, currency, amount);
    return new Map(this.sums);
  }

  private addTraded(marks: RecordedMarks): string | undefined {
    this.sums.clear();
    for (const [currency, amount] of this.earned) this.sums.set(currency, amount);
    for (const { product, quoteCcy, size } of this.positions.values()) {
      if (size === 0) continue;
      const largest = this.largest.get(product) ?? 0;
      const price = marks.closingPrice(product, size < 0 ? -largest : largest);
      if (price === undefined) return `no quote of ${product} was recorded before`;
      add(this.sums, quoteCcy, size * price);
    }
    return undefined;
  }
}

/** Sums by currency in one of them, at the newest quotes; or a text on why there is none. */
export function worthOf(sums: ReadonlyMap<string, number>, marks: RecordedMarks, into: string): number | string {
  let sum = 0;
  for (const [currency, amount] of sums) {
    const worth = marks.worth(amount, currency, into);
    if (worth === undefined) return noRate(currency, into);
    sum += worth;
  }
  return sum;
}

function add(to: Map<string, number>, currency: string, amount: number): void {
  to.set(currency, (to.get(currency) ?? 0) + amount);
}

/** The size of the largest position of a product, long or short, for which all of them are priced. */
export const largestOf = (positions: readonly { readonly size: number }[]): number =>
  positions.reduce((most, { size }) => Math.max(most, Math.abs(size)), 0);
