import type { KairosError } from '#domain/errors.ts';
import type { Latch } from '#domain/latch.ts';
import type { Journal } from '#ports/journal.ts';
import type { Notice } from '#ports/notice.ts';
import type { Beside } from './beside.ts';
import type { Ending } from './ending.ts';
import type { OpeningOptions } from './opening.ts';

export interface DaemonOptions extends OpeningOptions {
  readonly notice: Notice;
  /** Called once after an uncaught error: trading is halted, and the process should end. */
  readonly onFault: (error: unknown) => void;
  /** Called if the process needs too much memory and should stop in good order. */
  readonly onLeave?: (error: KairosError) => void;
  /** Called once at a quiet moment if the journal is to be rotated: by `handOver`, and the start of the next run. */
  readonly onRotationDue?: () => void;
  /** Wraps the engine's journal, with what earlier runs left latched. */
  readonly wrapJournal?: (journal: Journal, recovered: { readonly latches: readonly Latch[] }) => Journal;
  /** The channels of alerts, and whether each delivers. */
  readonly channels?: ReadonlyMap<string, boolean>;
  /** Set once the process is to end; its watchdog then cuts an end that hangs. */
  readonly ending?: Ending;
  /** Replaces threads and servers; for a simulation. */
  readonly beside?: Beside;
}
