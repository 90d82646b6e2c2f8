import type { Top } from '#venue/core/quote-making.ts';

/** The market of one product: a function of the milliseconds since the venue started. */
export interface PriceSource {
  at(elapsedMs: number): Top;
}
