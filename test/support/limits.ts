import { type Limits, UNLIMITED } from '#core/risk/limits.ts';
import { decimalOf } from '#domain/decimal.ts';

/** Every limit of `risk.*` off; budgets stand. */
export const NO_LIMITS: Limits = { ...UNLIMITED, lossCooldown: 60_000, spending: 'funded' };

/** A limit of so many dollars. */
export const usd = (amount: number): ReadonlyMap<string, ReturnType<typeof decimalOf>> => new Map([['usd', decimalOf(amount)]]);
