import { isoTime, type Millis } from '#domain/names.ts';
import { type Headline, note } from '#report/headline.ts';
import type { LedgerMovement } from '#report/record.ts';
import { type CurrenciesOf, isFlow } from './holdings.ts';
import type { RecordedMarks } from './marks.ts';

/** A currency that was traded before a quote gave its rate: until then it counts at that first one. */
export interface FirstRate {
  readonly currency: string;
  readonly at: Millis;
}

/** Those among the currencies that were traded. */
export function firstRates(
  movements: readonly LedgerMovement[],
  { marks, currenciesOf, into }: { readonly marks: RecordedMarks; readonly currenciesOf: CurrenciesOf; readonly into: string },
): readonly FirstRate[] {
  const found = new Map<string, Millis>();
  for (const { at, kind, product, currency: booked } of movements) {
    const of = product === null ? undefined : currenciesOf(product);
    const currency = booked === of?.baseCcy ? of.quoteCcy : booked;
    if (isFlow({ kind }) || found.has(currency)) continue;
    const first = marks.convertsFrom(currency, into);
    if (first !== undefined && at < first) found.set(currency, first);
  }
  return [...found].map(([currency, at]) => ({ currency, at }));
}

/** What was traded before a rate was known, a note for each time at which one became known. */
export const firstRateNotes = (rates: readonly FirstRate[], into: string): readonly Headline[] =>
  [...Map.groupBy(rates, ({ at }) => at)].map(([at, those]) => {
    const from = those.map(({ currency }) => currency).join(' and ');
    return note(
      `no quote led from ${from} to ${into} before ${isoTime(at)}: what was traded until then counts at the first rate there was`,
    );
  });
