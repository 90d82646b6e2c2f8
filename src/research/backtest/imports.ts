import { linesOfImports, narrowLines } from '#adapters/recording/import/import-lines.ts';
import type { ImportOf } from '#adapters/recording/import/imports.ts';
import { type FreshnessOf, freshnessFrom } from '#domain/freshness.ts';
import type { Millis } from '#domain/names.ts';
import { type Headline, headline } from '#report/headline.ts';

/** Products whose bars are played with their ranges. */
export const withRanges = (imports: readonly ImportOf[]): ReadonlySet<string> =>
  new Set(imports.filter(({ facts }) => facts.barPath === 'worst').map(({ product }) => product));

/**
 * How long lanes may be silent in a backtest: as live, except for imported prices, which define it themselves. Their
 * first row after a pause is fresh, since no feed was down.
 */
export function backtestFreshness(imports: readonly ImportOf[], staleAfterMs: Readonly<Record<string, Millis>>): FreshnessOf {
  const usual = freshnessFrom(staleAfterMs);
  const imported = new Map<string, Millis>();
  for (const { product, facts } of imports) imported.set(product, Math.max(facts.staleMs, imported.get(product) ?? 0));
  const bars = new Set(imports.flatMap(({ product, facts }) => (facts.barMs === null ? [] : product)));
  return (product) => {
    const own = imported.get(product);
    if (own === undefined) return usual(product);
    return { staleMs: staleAfterMs[product] ?? own, revivedBy: 1, areBars: bars.has(product) };
  };
}

/** That closes of played bars may have counted before they were known: a headline a lane and width. */
export const narrowHeadlines = (imports: readonly ImportOf[], lanes: ReadonlySet<string>): readonly Headline[] =>
  [
    ...Map.groupBy(
      imports.filter(({ lane }) => lanes.has(lane)),
      ({ lane }) => lane,
    ),
  ].flatMap(([lane, all]) => narrowLines(all.map(({ facts }) => facts)).map((line) => headline('CLOSES_EARLY', `${lane}: ${line}`)));

/** Notes on the imported prices of the lanes that are played. */
export function importNotes(
  imports: readonly ImportOf[],
  lanes: ReadonlySet<string>,
  staleAfterMs: Readonly<Record<string, Millis>>,
): readonly string[] {
  const own = Map.groupBy(
    imports.filter(({ lane }) => lanes.has(lane)),
    ({ lane, product }) => JSON.stringify([lane, product]),
  );
  return [...own.values()].flatMap((ofLane) => {
    const product = ofLane[0]?.product ?? '';
    const idle = 'lanes.staleAfter counts between its prices alone: an imported price is fresh whenever it comes';
    const lines = [...linesOfImports(ofLane.map(({ facts }) => facts)), ...(Object.hasOwn(staleAfterMs, product) ? [idle] : [])];
    return lines.map((line) => `${product}: ${line}`);
  });
}
