/** Powers of ten that a double represents exactly. */
const POWERS = Array.from({ length: 23 }, (_, places) => 10 ** places);
const LONG_POWERS = Array.from({ length: 41 }, (_, places) => 10n ** BigInt(places));
/** Numbers with more digits are rounded. */
const LONG_END = 10n ** 40n;

/** The most decimal places with which digits are kept as a whole number. */
export const MAX_PLACES = POWERS.length - 1;
/** The most decimal places with which digits are kept as a bigint. */
export const MAX_LONG_PLACES = LONG_POWERS.length - 1;
/** Below it, the shortest text of a double has all digits of the decimal that it came from. */
export const SHORT = 1e15;

/** Ten to the power of `places` as a number; NaN beyond `MAX_PLACES` places. */
export const powerOf = (places: number): number => POWERS[places] ?? Number.NaN;

/** Ten to the power of `places` as a bigint; 0 beyond `MAX_LONG_PLACES` places. */
export const longPowerOf = (places: number): bigint => LONG_POWERS[places] ?? 0n;

/** True if the digits can be kept without rounding. */
export const isKept = (digits: bigint): boolean => digits < LONG_END && digits > -LONG_END;

/** Puts the decimal point into digits, and zeros before them if there are too few. */
export function pointed(digits: string, places: number): string {
  if (places === 0) return digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const size = digits.slice(sign.length).padStart(places + 1, '0');
  return `${sign}${size.slice(0, -places)}.${size.slice(-places)}`;
}
