/** Decimals of what is counted here. */
const PLACES = 12;

/** A decimal number as a whole count of its twelfth decimal: what invariants say of sizes rests on no arithmetic of Kairos's. */
export function exact(text: string): bigint {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(/e/i.test(text) ? Number(text).toFixed(PLACES) : text) ?? [];
  const digits = BigInt(`${whole}${decimals.slice(0, PLACES).padEnd(PLACES, '0')}`);
  return sign === '-' ? -digits : digits;
}

/** A count as a decimal number. */
export const textOf = (count: bigint): string => String(Number(count) / 10 ** PLACES);

/** Towards zero to a whole number of steps. */
export const flooredTo = (count: bigint, step: bigint): bigint => count - (count % step);
