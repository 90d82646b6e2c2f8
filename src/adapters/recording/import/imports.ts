import { readableIn } from '#adapters/recording/catalog.ts';
import type { ImportFacts } from '#adapters/recording/manifest.ts';
import { openRun, type RecordedRun } from '#adapters/recording/open-run.ts';
import { SealedRun } from '#adapters/recording/sealed-run.ts';
import type { RecordedSpan } from '#adapters/recording/spans.ts';

/** Imported prices of a product, as their manifest has it. */
export interface ImportOf extends RecordedSpan {
  readonly product: string;
  readonly quoteCcy: string;
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
      return facts && first && last
        ? [{ run, lane: first.lane, product: first.product, quoteCcy: first.quoteCcy, facts, from: first.from, to: last.to }]
        : [];
    }),
  );
}

/** What was imported among the recordings of a folder, or is one. Throws RECORDING_UNREADABLE. */
export const importsAt = (dir: string): readonly ImportOf[] => importsIn(readableIn(dir).logs.map(openRun));
