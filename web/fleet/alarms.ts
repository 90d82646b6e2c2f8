import type { StateTone } from '#domain/state-tone.ts';
import type { DaemonView } from '#server/fleet/view.ts';
import { fixed } from '../words/numbers.ts';
import { blockedCount } from '../words/state-words.ts';
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

/** What of a daemon goes on by itself, and is no alarm. */
export const waitsOf = ({ reach, said }: DaemonView): readonly string[] => (reach === 'silent' ? [] : (said?.waits ?? []));

function tokenAlarm(access: DaemonView['access']): readonly string[] {
  if (access !== 'wrong token' && access !== 'read token') return [];
  return [`Its token is ${access === 'wrong token' ? 'wrong' : 'for read alone'}: it cannot be halted from here.`];
}

/** The alarms of all daemons in a figure; where there are none, how many strategies wait or are refused all the same. */
export function alarmFigure(daemons: readonly DaemonView[]): { readonly tone: StateTone; readonly says: string } {
  const alarms = daemons.flatMap(alarmsOf).length;
  if (alarms > 0) return { tone: 'bad', says: fixed(alarms, 0) };
  const blocked = blockedCount(
    daemons.flatMap(({ said }) => said?.strategies ?? []).flatMap(({ enabled, state }) => (enabled ? state : [])),
  );
  return blocked === null ? { tone: 'good', says: 'none' } : { tone: blocked.tone, says: `none, ${blocked.says}` };
}

/** Who needs somebody first: the silent, then those with alarms, then those that do not trade, each as they were named. */
export const byUrgency = (daemons: readonly DaemonView[]): readonly DaemonView[] => daemons.toSorted((a, b) => urgencyOf(b) - urgencyOf(a));

function urgencyOf(daemon: DaemonView): number {
  if (daemon.reach === 'silent') return 3;
  if (alarmsOf(daemon).length > 0) return 2;
  return daemon.said !== null && (daemon.said.trading !== 'ACTIVE' || waitsOf(daemon).length > 0) ? 1 : 0;
}
