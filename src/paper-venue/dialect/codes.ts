import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';

/** A currency in the dialect's spelling. */
export function currencyIn({ currencies }: Dialect, code: string): string {
  switch (currencies) {
    case 'lower-currencies':
      return code;
    case 'upper-currencies':
      return code.toUpperCase();
    case 'title-currencies':
      return titled(code);
  }
}

/** The currency of a notification, in the dialect's spelling. */
export function notifiedIn({ notified }: Dialect, code: string): string {
  if (notified === 'notified-in-title') return titled(code);
  return notified === 'notified-in-upper' ? code.toUpperCase() : code;
}

/** A product in the dialect's spelling. */
export function productIn({ products }: Dialect, code: string): string {
  return products === 'lower-products' ? code : code.toUpperCase();
}

/** The venue's own code for a product of a request; undefined if the dialect does not know that spelling. */
export function productOf({ products }: Dialect, code: string): string | undefined {
  if (products === 'lower-products') return code;
  return products === 'upper-products' || code === code.toUpperCase() ? code.toLowerCase() : undefined;
}

const titled = (code: string): string => `${code.slice(0, 1).toUpperCase()}${code.slice(1)}`;
