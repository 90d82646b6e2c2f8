import type { DaemonView } from '#server/fleet/view.ts';
import { momentText } from '../words/times.ts';

/** The alarms of a daemon: it is silent, it could not be halted from here, or what it reports itself while it answers. */
export function alarmsOf({ reach, why, heardAt, access, said }: DaemonView): readonly string[] {
  const since = heardAt === null ? 'since it was asked first' : `since ${momentText(heardAt)}`;
  if (reach === 'silent') return [`It is silent ${since}: ${why}.`, ...tokenAlarm(access)];
  return [...tokenAlarm(access), ...(said?.alarms ?? [])];
}

const tokenAlarm = (access: DaemonView['access']): readonly string[] =>
  access === 'wrong token' ? ['Its token is wrong: it cannot be halted from here.'] : [];
