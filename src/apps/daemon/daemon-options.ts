import type { KairosError } from '#domain/errors.ts';
import type { Journal } from '#ports/journal.ts';
import type { Notice } from '#ports/notice.ts';
import type { Beside } from './beside.ts';
import type { OpeningOptions } from './opening.ts';

export interface DaemonOptions extends OpeningOptions {
  readonly notice: Notice;
  /** Called once when an error was handled nowhere: trading is halted by then, the process should end. */
  readonly onFault: (error: unknown) => void;
  /** Called where the process needs too much memory: it should end in good order. */
  readonly onLeave?: (error: KairosError) => void;
  /** Stands between the engine and its journal; for tests that make commits slow. */
  readonly wrapJournal?: (journal: Journal) => Journal;
  /** Stands for threads and servers; for a simulation. */
  readonly beside?: Beside;
}
