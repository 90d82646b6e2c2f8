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
