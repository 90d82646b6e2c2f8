import { resolveOrder } from '#adapters/journal/resolve.ts';
import type { Settings } from '#config/settings.ts';
import type { Timers } from '#ports/timers.ts';
import type { FieldsOf } from '#server/control/endpoints.ts';
import type { Settlement } from '#server/control/target.ts';
import { daemonAt } from './daemon-access.ts';
import { askResolution } from './ops-client.ts';

/**
 * Settles an order of unknown outcome for a person: through the daemon that holds the journal, else in the journal
 * itself. Throws NOT_FOUND, NOT_OPEN, USAGE, and OPS_UNAVAILABLE if a daemon does not answer.
 */
export async function settleOrder(asked: FieldsOf<'resolve'>, settings: Settings, timers: Pick<Timers, 'wallMs'>): Promise<Settlement> {
  const { path } = settings.journal;
  const to = daemonAt(settings);
  if (to) return askResolution(asked, to);
  const { order, as, figures, who, why } = asked;
  const { fill } = resolveOrder({ path, orderId: order, as, figures, who, why, now: timers.wallMs() });
  return { order, as, fill };
}
