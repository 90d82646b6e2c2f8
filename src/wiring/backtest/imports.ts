import { type FreshnessOf, freshnessFrom } from '../../domain/freshness.ts';
import type { Millis } from '../../domain/names.ts';
import { importLines } from '../../recording/import/import-lines.ts';
import type { ImportFacts } from '../../recording/manifest.ts';
import type { RecordedRun } from '../../recording/open-run.ts';
import { SealedRun } from '../../recording/sealed-run.ts';

/** Imported prices of a product, as their manifest has it. */
export interface ImportOf {
  readonly run: string;
  readonly product: string;
  readonly facts: ImportFacts;
}

/** What was imported among some recordings. */
export function importsIn(readers: readonly RecordedRun[]): readonly ImportOf[] {
  return readers.flatMap((reader) =>
    reader.parts().flatMap((part): ImportOf[] => {
      if (!(part instanceof SealedRun)) return [];
      const { run, imported: facts, quotes } = part.manifest;
      const [first] = quotes;
      return facts && first ? [{ run, product: first.product, facts }] : [];
    }),
  );
}

/**
 * How long lanes may be silent in a backtest: as live, but for imported prices, which bring it with them. Their first row after a
 * pause counts, since nobody's feed was down.
 */
export function backtestFreshness(imports: readonly ImportOf[], staleAfterMs: Readonly<Record<string, Millis>>): FreshnessOf {
  const usual = freshnessFrom(staleAfterMs);
  const imported = new Map<string, Millis>();
  for (const { product, facts } of imports) imported.set(product, Math.max(facts.staleMs, imported.get(product) ?? 0));
  return (product) => {
    const own = imported.get(product);
    if (own === undefined) return usual(product);
    return { staleMs: staleAfterMs[product] ?? own, revivedBy: 1 };
  };
}

/** What a reader of a result must know of the imported prices that it rests on. */
export function importNotes(imports: readonly ImportOf[], played: ReadonlySet<string>): readonly string[] {
  return imports
    .filter(({ product }) => played.has(product))
    .flatMap(({ product, facts }) => importLines(facts).map((line) => `${product}: ${line}`));
}
