import type { DaemonView } from '#server/fleet/view.ts';
import { fixed } from '../words/numbers.ts';
import { toneOfState } from '../words/state-words.ts';
import { momentText } from '../words/times.ts';
import type { StateTone } from '../words/tone.ts';

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

/** The alarms of all daemons in a figure; where there are none, how many strategies do not trade all the same. */
export function alarmFigure(daemons: readonly DaemonView[]): { readonly tone: StateTone; readonly says: string } {
  const alarms = daemons.flatMap(alarmsOf).length;
  const strategies = daemons.flatMap(({ said }) => said?.strategies ?? []);
  const blocked = strategies.filter(({ state }) => ['warn', 'bad'].includes(toneOfState(state))).length;
  if (alarms > 0) return { tone: 'bad', says: fixed(alarms, 0) };
  return blocked > 0 ? { tone: 'warn', says: `none, ${fixed(blocked, 0)} blocked` } : { tone: 'good', says: 'none' };
}

/** Who needs somebody first: the silent, then those with alarms, then those that do not trade, each as they were named. */
export const byUrgency = (daemons: readonly DaemonView[]): readonly DaemonView[] => daemons.toSorted((a, b) => urgencyOf(b) - urgencyOf(a));

function urgencyOf(daemon: DaemonView): number {
  if (daemon.reach === 'silent') return 3;
  if (alarmsOf(daemon).length > 0) return 2;
  return daemon.said !== null && daemon.said.trading !== 'ACTIVE' ? 1 : 0;
}
