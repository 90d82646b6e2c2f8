import { type Decimal, decimalOf } from './decimal.ts';
import type { ProductText } from './event.ts';
import { type ProductCode, productCode } from './names.ts';

/** A tradable product with the four limits of its sizes and prices (spec 2.6). */
export interface Product {
  readonly code: ProductCode;
  /** The service's own spelling of the code, if it differs. Subscriptions and requests carry it. */
  readonly spelled?: string;
  /** Smallest order, in base currency. */
  readonly minSize: Decimal;
  /** Smallest order, in quote currency. */
  readonly minNotionalValue: Decimal;
  readonly sizeIncrement: Decimal;
  readonly priceIncrement: Decimal;
}

/** Reads a product from decimal text, the form of recordings and the journal. */
export function productOf(text: ProductText): Product {
  return {
    code: productCode(text.code),
    minSize: decimalOf(text.minSize),
    minNotionalValue: decimalOf(text.minNotionalValue),
    sizeIncrement: decimalOf(text.sizeIncrement),
    priceIncrement: decimalOf(text.priceIncrement),
  };
}

/** An exchange account of the caller (spec 2.5). Its key is dropped: no part of Kairos keeps it. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly exchangeCode: string;
  readonly accountType: string;
  readonly isMain: boolean;
  readonly spotActive: boolean;
  readonly futuresActive: boolean;
}
