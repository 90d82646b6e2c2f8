import { readFileSync } from 'node:fs';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { Cancel } from '#ports/timers.ts';

const LOOK_MS = 200;
/** How far npm may stand behind the process that started this one: a shell, and an older Node. */
const NPM_WITHIN = 3;

/** Why a process ends with the one that started it. */
export const STARTER_GONE = 'the process that started it is gone';

/**
 * Calls `then` once when the process that started this one is gone, where that is one whose end ends this one too
 * (`scripts/ensure-node.mjs`); so does npm behind its shell, which a `kill -9` of npm leaves. A closed terminal takes it along without ending a
 * daemon: after SIGHUP nothing is called. Returns a function that stops looking.
 */
export function onStarterGone(then: () => void): Cancel {
  const [own, starter] = (process.env.KAIROS_STARTER ?? '').split(' ').map(Number);
  // A process that inherited the word was started by another one.
  if (own !== process.pid || starter === undefined) return () => {};
  const session = statOf(process.pid)?.session;
  // A manager that npx started, such as pm2, is a session of its own: npm ends, and what the manager starts goes on.
  if (statOf(starter)?.session !== session) return () => {};
  const links = linksTo(starter, session);
  const cut = systemTimers.every(LOOK_MS, () => {
    if (process.ppid === starter && links.every(([pid, parent]) => statOf(pid)?.parent === parent)) return;
    cut();
    then();
  });
  if (process.listenerCount('SIGHUP') > 0) process.on('SIGHUP', cut);
  return cut;
}

/** Processes from the starter up to npm, each with its parent; none where npm did not start them in this session, or the machine does not say. */
function linksTo(starter: number, session: number | undefined): readonly (readonly [pid: number, parent: number])[] {
  if (!process.env.npm_command) return [];
  const links: (readonly [number, number])[] = [];
  for (let pid = starter; links.length < NPM_WITHIN; ) {
    const parent = statOf(pid)?.parent;
    if (parent === undefined || statOf(parent)?.session !== session) return [];
    links.push([pid, parent]);
    if (textOf(`/proc/${parent}/comm`).startsWith('npm')) return links;
    pid = parent;
  }
  return [];
}

/** Undefined for a process that is gone. */
function statOf(pid: number): { readonly parent: number; readonly session: number } | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // Behind the name: state, parent, group, session.
  const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? undefined : { parent: Number(parent), session: Number(session) };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
