import { feesTakenBeside } from '#daemon/operations/fees-thread.ts';
import { copyJournal, findNewest } from './backups.ts';
import { OWN_MEMORY, type ProcessMemory } from './memory-watch.ts';
import { openControl } from './open-control.ts';
import { openSignals } from './threads/signals.ts';
import { openWebhooks } from './threads/webhooks.ts';
import { Watchdog } from './watchdog.ts';

/** The daemon's threads and servers. A simulation does the same work in its single thread. */
export interface Beside {
  readonly openWebhooks: typeof openWebhooks;
  readonly openSignals: typeof openSignals;
  readonly openControl: typeof openControl;
  /** Makes a backup, and finds the newest, without blocking the loop. */
  readonly copyJournal: typeof copyJournal;
  readonly findNewest: typeof findNewest;
  /** Compares the journal's books with the account's balances without blocking the loop. */
  readonly feesTaken: typeof feesTakenBeside;
  readonly memory: ProcessMemory;
  readonly startWatchdog: (options: ConstructorParameters<typeof Watchdog>[0]) => Pick<Watchdog, 'close' | 'hasLooked'>;
}

/** Those of a real daemon. */
export const BESIDE: Beside = {
  openWebhooks,
  openSignals,
  openControl,
  copyJournal,
  findNewest,
  feesTaken: feesTakenBeside,
  memory: OWN_MEMORY,
  startWatchdog: (options) => new Watchdog(options),
};
