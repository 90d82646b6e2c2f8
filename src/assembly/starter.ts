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
  const links = linksTo(starter);
  const cut = systemTimers.every(LOOK_MS, () => {
    if (process.ppid === starter && links.every(([pid, parent]) => parentOf(pid) === parent)) return;
    cut();
    then();
  });
  if (process.listenerCount('SIGHUP') > 0) process.on('SIGHUP', cut);
  return cut;
}

/** Processes from the starter up to npm, each with its parent; none where npm did not start them, or the machine does not say. */
function linksTo(starter: number): readonly (readonly [pid: number, parent: number])[] {
  if (!process.env.npm_command) return [];
  const links: (readonly [number, number])[] = [];
  for (let pid = starter; links.length < NPM_WITHIN; ) {
    const parent = parentOf(pid);
    if (parent === undefined) return [];
    links.push([pid, parent]);
    if (textOf(`/proc/${parent}/comm`).startsWith('npm')) return links;
    pid = parent;
  }
  return [];
}

/** Undefined for a process that is gone. */
function parentOf(pid: number): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === '' ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
