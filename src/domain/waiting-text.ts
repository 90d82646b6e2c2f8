import { isoTime, type Millis } from './names.ts';

/** What a strategy wants and has not got yet. */
export interface WantedLeg {
  readonly strategy: string;
  readonly product: string;
  /** `buy 0.01 base`. */
  readonly wants: string;
  /** The worst price that it takes; null: none. */
  readonly limit: number | null;
  /** When it lapses, a time or its text; null: never. */
  readonly until: Millis | string | null;
}

/** What it waits for, until when, and what ends it. */
export function waitingText({ strategy, product, wants, limit, until }: WantedLeg): string {
  const price = limit === null ? '' : ` at ${limit} or better`;
  const end = until === null ? '' : `, until ${typeof until === 'string' ? until : isoTime(until)}`;
  return `waits to ${wants} of ${product}${price}${end}; \`kairos close ${strategy}\` ends it`;
}
