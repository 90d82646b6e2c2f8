import { type Decimal, decimalOf } from './decimal.ts';
import type { ProductText } from './event.ts';
import { type ProductCode, productCode } from './names.ts';

/** What may be traded, and the four limits its sizes and prices obey (spec 2.6). */
export interface Product {
  readonly code: ProductCode;
  /** The code as the service writes it, where that is not the same: what subscriptions and requests carry. */
  readonly spelled?: string;
  /** Smallest order, in base currency. */
  readonly minSize: Decimal;
  /** Smallest order, in quote currency. */
  readonly minNotionalValue: Decimal;
  readonly sizeIncrement: Decimal;
  readonly priceIncrement: Decimal;
}

/** A product from decimal text, as recordings and the journal keep it. */
export function productOf(text: ProductText): Product {
  return {
    code: productCode(text.code),
    minSize: decimalOf(text.minSize),
    minNotionalValue: decimalOf(text.minNotionalValue),
    sizeIncrement: decimalOf(text.sizeIncrement),
    priceIncrement: decimalOf(text.priceIncrement),
  };
}

/** An exchange account of the caller (spec 2.5), without its key, which no part of Kairos keeps. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly exchangeCode: string;
  readonly accountType: string;
  readonly isMain: boolean;
  readonly spotActive: boolean;
  readonly futuresActive: boolean;
}
