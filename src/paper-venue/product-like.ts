import { editsBetween } from '#domain/nearest.ts';
import { VB_PRODUCTS } from './products.ts';

/** The product of the paper venue that a code may have meant, of one letter or a swap of two; undefined for none, and for one of them. */
export function productLike(code: string): string | undefined {
  const given = code.toLowerCase();
  const codes = VB_PRODUCTS.map((product): string => product.code);
  return codes.includes(given) ? undefined : codes.find((one) => one.length === given.length && editsBetween(one, given) === 1);
}
