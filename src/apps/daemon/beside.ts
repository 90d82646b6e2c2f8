import { type ControlOptions, type ControlServer, openControl } from './control.ts';
import { openWebhooks, type Webhooks, type WebhooksOptions } from './threads/webhooks.ts';
import { Watchdog, type WatchdogOptions } from './watchdog.ts';

/** What a daemon has beside its own loop, in threads and servers. A simulation does the same work in the one thread that it has. */
export interface Beside {
  openWebhooks(options: WebhooksOptions): Promise<Webhooks | null>;
  openControl(options: ControlOptions): Promise<ControlServer>;
  startWatchdog(options: WatchdogOptions): Pick<Watchdog, 'close'>;
}

/** As a real daemon has it. */
export const BESIDE: Beside = { openWebhooks, openControl, startWatchdog: (options) => new Watchdog(options) };
