import type { Decimal } from '#domain/decimal.ts';
import type { Currency } from '#domain/names.ts';

/** Amounts by currency. */
export type Amounts = ReadonlyMap<Currency, Decimal>;
