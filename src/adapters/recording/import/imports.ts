import { readableIn } from '#adapters/recording/catalog.ts';
import type { ImportFacts } from '#adapters/recording/manifest.ts';
import { openRun, type RecordedRun } from '#adapters/recording/open-run.ts';
import { SealedRun } from '#adapters/recording/sealed-run.ts';
import type { Millis } from '#domain/names.ts';

/** What an import covers. */
export interface Span {
  readonly run: string;
  readonly lane: string;
  /** Its first quote and its last. */
  readonly from: Millis;
  readonly to: Millis;
}

/** Imported prices of a product, as their manifest has it. */
export interface ImportOf extends Span {
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
      const last = quotes.at(-1);
      return facts && first && last ? [{ run, lane: first.lane, product: first.product, facts, from: first.from, to: last.to }] : [];
    }),
  );
}

/** What was imported among the recordings of a folder, or is one. Throws RECORDING_UNREADABLE. */
export const importsAt = (dir: string): readonly ImportOf[] => importsIn(readableIn(dir).logs.map(openRun));

/** True for prices of one lane that are partly of the same time. */
export const overlaps = (one: Omit<Span, 'run'>, other: Omit<Span, 'run'>): boolean =>
  one.lane === other.lane && one.from <= other.to && one.to >= other.from;
