import { copyJournal } from './backups.ts';
import { openControl } from './control.ts';
import { OWN_MEMORY, type ProcessMemory } from './memory-watch.ts';
import { openWebhooks } from './threads/webhooks.ts';
import { Watchdog } from './watchdog.ts';

/** What a daemon has beside its own loop, in threads and servers. A simulation does the same work in the one thread that it has. */
export interface Beside {
  readonly openWebhooks: typeof openWebhooks;
  readonly openControl: typeof openControl;
  /** Copies and checks the journal, while the loop goes on. */
  readonly copyJournal: typeof copyJournal;
  readonly memory: ProcessMemory;
  readonly startWatchdog: (options: ConstructorParameters<typeof Watchdog>[0]) => Pick<Watchdog, 'close'>;
}

/** As a real daemon has it. */
export const BESIDE: Beside = {
  openWebhooks,
  openControl,
  copyJournal,
  memory: OWN_MEMORY,
  startWatchdog: (options) => new Watchdog(options),
};
