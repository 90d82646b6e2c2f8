import { strategiesIn } from '#adapters/journal/named-rows.ts';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { MANUAL_BOOK } from '#core/execution/plan.ts';
import { unknownStrategy } from '#domain/unknown-strategy.ts';

/** Refuses the name of a strategy that no run of a journal had and no order is of: throws NOT_FOUND with those that there are. */
export function refuseUnknownStrategy(journal: JournalReader, strategy: string | undefined): void {
  if (strategy === undefined || strategy === MANUAL_BOOK) return;
  const known = journal.named(strategiesIn);
  if (!known.includes(strategy)) throw unknownStrategy(`the journal ${journal.path}`, strategy, known);
}
