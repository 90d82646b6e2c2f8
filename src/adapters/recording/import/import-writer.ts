import { hashOf, IMPORTED, type ImportFacts, type SealedQuotes } from '#adapters/recording/manifest.ts';
import { SealWriter } from '#adapters/recording/seal.ts';
import { SealedRun } from '#adapters/recording/sealed-run.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { quotesOfDay, type TickDay, type TickQuotes } from './tick-day.ts';

/** What an import came to. */
export interface ImportedRun {
  /** Its name: product, begin and content. */
  readonly run: string;
  readonly quotes: readonly SealedQuotes[];
}

/** Where the days of an import go, in this thread or another. */
export interface DayWriter {
  /** Takes a day over: its memory is no longer the caller's. */
  write(day: TickDay): void;
  /** Waits while many days are still to be written. Throws what writing one threw. */
  room(): Promise<void>;
  /** Writes what there is at last and holds it against what was meant. Throws RECORDING_FAULT, and what the disk says. */
  finish(facts?: ImportFacts): Promise<ImportedRun>;
  /** Ends it, finished or not. */
  close(): Promise<void>;
}

/** Writes the days of an import into a folder as a sealed recording. */
export class ImportWriter {
  private readonly folder: string;
  private readonly quotes: TickQuotes;
  private readonly writer: SealWriter;

  constructor(folder: string, quotes: TickQuotes) {
    this.folder = folder;
    this.quotes = quotes;
    this.writer = new SealWriter(folder);
  }

  write(day: TickDay): void {
    this.writer.writeAll(quotesOfDay(this.quotes, day), day.day);
  }

  /** Throws RECORDING_FAULT where what was written reads otherwise. At least one day was written. */
  finish(imported?: ImportFacts): ImportedRun {
    const { folder, writer } = this;
    const { quotes } = writer;
    const tail = hashOf(Buffer.from(quotes.map(({ sha256 }) => sha256).join())).slice(0, 6);
    const begin = isoTime(quotes[0]?.from ?? 0).slice(0, 19);
    const run = `import-${this.quotes.product.replaceAll(/[/:]/g, '-')}-${begin.replaceAll(/[-:]/g, '')}Z-${tail}`;
    writer.finish({ run, book: IMPORTED, part: 1, torn: null, sourceBytes: 0, ...(imported && { imported }) });
    checkBack(folder);
    return { run, quotes };
  }
}

/** Writes in the thread that reads. */
export function writerHere(folder: string, quotes: TickQuotes): DayWriter {
  const writer = new ImportWriter(folder, quotes);
  return { write: (day) => writer.write(day), room: async () => {}, finish: async (facts) => writer.finish(facts), close: async () => {} };
}

/** What was written is what was meant, before it takes its place. */
function checkBack(folder: string): void {
  const run = new SealedRun(folder);
  for (const file of run.manifest.quotes) {
    const fault = run.fault(file);
    if (fault !== undefined) throw new KairosError('RECORDING_FAULT', `${folder}: ${fault}: check the disk`);
  }
}
