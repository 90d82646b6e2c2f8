import type { Amount } from '#domain/lane.ts';
import { productName } from '#domain/settings/groups.ts';
import { listOf, type SettingKind } from '#domain/settings/kind.ts';
import { amount } from './entries.ts';
import { record, required } from './record.ts';

/** A lane that is there for its price alone, as written. */
interface RateEntry {
  readonly product: string;
  readonly amount: Amount;
}

const RATE = {
  product: required(productName, 'a product code'),
  amount: required(amount, 'the amount that its quotes are for: {base: N} units, or {quote: N} of quote currency'),
};

/** The setting `account.rates`. */
export const rates: SettingKind<readonly RateEntry[]> = listOf(
  record(RATE, { product: 'usdchf', amount: { base: 1000 } }, (take) => ({ product: take(RATE.product), amount: take(RATE.amount) })),
  1000,
);
