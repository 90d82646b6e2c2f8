import { readableIn } from '#adapters/recording/catalog.ts';
import { importLines } from '#adapters/recording/import/import-lines.ts';
import type { ImportFacts } from '#adapters/recording/manifest.ts';
import { openRun, type RecordedRun } from '#adapters/recording/open-run.ts';
import { SealedRun } from '#adapters/recording/sealed-run.ts';
import { type FreshnessOf, freshnessFrom } from '#domain/freshness.ts';
import type { Millis } from '#domain/names.ts';

/** Imported prices of a product, as their manifest has it. */
export interface ImportOf {
  readonly run: string;
  readonly product: string;
  readonly facts: ImportFacts;
  /** Its first quote and its last. */
  readonly from: Millis;
  readonly to: Millis;
}

/** What was imported among some recordings. */
export function importsIn(readers: readonly RecordedRun[]): readonly ImportOf[] {
  return readers.flatMap((reader) =>
    reader.parts().flatMap((part): ImportOf[] => {
      if (!(part instanceof SealedRun)) return [];
      const { run, imported: facts, quotes } = part.manifest;
      const [first] = quotes;
      const last = quotes.at(-1);
      return facts && first && last ? [{ run, product: first.product, facts, from: first.from, to: last.to }] : [];
    }),
  );
}

/** Products whose bars are played with their ranges. */
export const withRanges = (imports: readonly ImportOf[]): ReadonlySet<string> =>
  new Set(imports.filter(({ facts }) => facts.barPath === 'worst').map(({ product }) => product));

/** What was imported among the recordings of a folder, or is one. Throws RECORDING_UNREADABLE. */
export const importsAt = (dir: string): readonly ImportOf[] => importsIn(readableIn(dir).logs.map(openRun));

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

/** Imports of the same prices, or of others at the same time, whose quotes would be played together. */
function overlapNotes(imports: readonly ImportOf[]): readonly string[] {
  return imports.flatMap(({ run, product, from, to }, index) =>
    imports
      .slice(index + 1)
      .filter((other) => other.product === product && other.from <= to && other.to >= from)
      .map(
        (other) =>
          `${product}: ${run} and ${other.run} are of the same time, and both are played: name one with --data, or remove the other`,
      ),
  );
}

/** What a reader of a result must know of the imported prices that it rests on. */
export function importNotes(imports: readonly ImportOf[], played: ReadonlySet<string>): readonly string[] {
  const own = imports.filter(({ product }) => played.has(product));
  return [...overlapNotes(own), ...own.flatMap(({ product, facts }) => importLines(facts).map((line) => `${product}: ${line}`))];
}
