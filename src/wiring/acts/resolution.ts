import { journalFacts } from '../../journal/acts.ts';
import { resolveOrder } from '../../journal/resolve.ts';
import type { ResolveAsked } from '../../ops/resolve-body.ts';
import type { Resolved } from '../../ops/target.ts';
import type { Timers } from '../../ports/timers.ts';
import type { Settings } from '../config/settings.ts';
import { daemonOf } from './acts.ts';
import { controlFiles } from './control-files.ts';
import { askResolution } from './ops-client.ts';
import { tokenOfDaemon } from './ops-files.ts';

/**
 * Settles an order of unknown outcome by a person's word: through the daemon that holds the journal, else in the journal
 * itself. Throws NOT_FOUND, NOT_OPEN, USAGE, and OPS_UNAVAILABLE where a daemon does not answer.
 */
export async function settleOrder(asked: ResolveAsked, settings: Settings, timers: Pick<Timers, 'wallMs'>): Promise<Resolved> {
  const { path } = settings.journal;
  const files = controlFiles(path);
  const daemon = daemonOf(files, journalFacts(path).holder);
  if (daemon) return askResolution(asked, daemon, tokenOfDaemon(settings, files.token));
  const { order, as, figures, who, why } = asked;
  const { fill } = resolveOrder({ path, orderId: order, as, figures, who, why, now: timers.wallMs() });
  return { order, as, fill };
}
