import { printNote } from './output.ts';

/** Notes in which archives the reasons, words and tags of these orders are that the journal has no more. */
export async function noteArchived(journal: string, orders: readonly string[]): Promise<void> {
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  const reader = JournalReader.open(journal);
  try {
    for (const line of reader.archivedOrders(orders)) printNote(line);
  } finally {
    reader.close();
  }
}
