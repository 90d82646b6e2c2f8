import type { LedgerMovement } from '../record.ts';
import type { Marks } from './marks.ts';

/** Movements that are no outcome of trading: what the capital is, not what it earned. */
const FLOWS: ReadonlySet<LedgerMovement['kind']> = new Set(['opening', 'deposit', 'withdrawal', 'correction']);

export const isFlow = ({ kind }: Pick<LedgerMovement, 'kind'>): boolean => FLOWS.has(kind);

interface Position {
  readonly product: string;
  readonly quoteCcy: string;
  size: number;
}

/** Sizes below this share of what was traded are what doubles leave of a position that was closed. */
const ROUNDING = 1e-9;

/** Currencies of a product. */
export type CurrenciesOf = (product: string) => { readonly baseCcy: string; readonly quoteCcy: string } | undefined;

/** What books hold together: a position for each book and product, and cash by currency. */
export class Holdings {
  private readonly currenciesOf: CurrenciesOf;
  private readonly positions = new Map<string, Position & { traded: number }>();
  private readonly cash = new Map<string, number>();

  constructor(currenciesOf: CurrenciesOf) {
    this.currenciesOf = currenciesOf;
  }

  apply({ book, product, kind, currency, amount: text }: LedgerMovement): void {
    const amount = Number(text);
    const of = product === null ? undefined : this.currenciesOf(product);
    if (product === null || currency !== of?.baseCcy || isFlow({ kind })) {
      this.cash.set(currency, (this.cash.get(currency) ?? 0) + amount);
      return;
    }
    const key = JSON.stringify([book, product]);
    const position = this.positions.get(key) ?? { product, quoteCcy: of.quoteCcy, size: 0, traded: 0 };
    this.positions.set(key, position);
    position.size += amount;
    position.traded += Math.abs(amount);
    if (Math.abs(position.size) <= position.traded * ROUNDING) position.size = 0;
  }

  /** Anything held that a price can move. */
  get isInMarket(): boolean {
    for (const { size } of this.positions.values()) if (size !== 0) return true;
    return false;
  }

  /** Products whose prices it depends on, cash in other currencies left out. */
  get products(): ReadonlySet<string> {
    return new Set([...this.positions.values()].filter(({ size }) => size !== 0).map(({ product }) => product));
  }

  /** True where all cash is in one currency, in which all positions are quoted: then only their own prices move its value. */
  isOnlyIn(currency: string): boolean {
    for (const [held, amount] of this.cash) if (held !== currency && amount !== 0) return false;
    for (const { quoteCcy, size } of this.positions.values()) if (quoteCcy !== currency && size !== 0) return false;
    return true;
  }

  /** Value of all in one currency at the newest quotes, or why it has none. */
  value(marks: Marks, into: string): number | string {
    let sum = 0;
    for (const { product, quoteCcy, size } of this.positions.values()) {
      if (size === 0) continue;
      const price = marks.price(product, size);
      if (price === undefined) return `no quote of ${product} was recorded before`;
      const worth = marks.worth(size * price, quoteCcy, into);
      if (worth === undefined) return noRate(quoteCcy, into);
      sum += worth;
    }
    for (const [currency, amount] of this.cash) {
      const worth = marks.worth(amount, currency, into);
      if (worth === undefined) return noRate(currency, into);
      sum += worth;
    }
    return sum;
  }
}

const noRate = (currency: string, into: string): string => `no recorded quote leads from ${currency} to ${into}`;
