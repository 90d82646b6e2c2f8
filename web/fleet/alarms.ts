import type { DaemonView } from '#server/fleet/view.ts';
import { momentText } from '../words/times.ts';

/** The alarms of a daemon: it is silent, it could not be halted from here, or what it reports itself while it answers. */
export function alarmsOf({ reach, place, why, heardAt, silentSince, access, said }: DaemonView): readonly string[] {
  if (reach === 'silent') {
    const since =
      heardAt === null ? `It never answered since ${momentText(silentSince ?? '')}` : `It is silent since ${momentText(heardAt)}`;
    return [`${since} (${place}): ${why}.`, ...tokenAlarm(access)];
  }
  return [...tokenAlarm(access), ...(said?.alarms ?? [])];
}

const tokenAlarm = (access: DaemonView['access']): readonly string[] =>
  access === 'wrong token' ? ['Its token is wrong: it cannot be halted from here.'] : [];

/** Who needs somebody first: the silent, then those with alarms, then those that do not trade, each as they were named. */
export const byUrgency = (daemons: readonly DaemonView[]): readonly DaemonView[] => daemons.toSorted((a, b) => urgencyOf(b) - urgencyOf(a));

function urgencyOf(daemon: DaemonView): number {
  if (daemon.reach === 'silent') return 3;
  if (alarmsOf(daemon).length > 0) return 2;
  return daemon.said !== null && daemon.said.trading !== 'ACTIVE' ? 1 : 0;
}
