/** Decimal places of exact numbers. */
const PLACES = 12;

/** A decimal number in units of its twelfth decimal, independent of Kairos's arithmetic. */
export function exact(text: string): bigint {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(/e/i.test(text) ? Number(text).toFixed(PLACES) : text) ?? [];
  const digits = BigInt(`${whole}${decimals.slice(0, PLACES).padEnd(PLACES, '0')}`);
  return sign === '-' ? -digits : digits;
}

/** An exact number as decimal text. */
export const textOf = (count: bigint): string => String(Number(count) / 10 ** PLACES);

/** Rounds towards zero to whole steps. */
export const flooredTo = (count: bigint, step: bigint): bigint => count - (count % step);
