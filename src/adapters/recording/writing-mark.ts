import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Millis } from '#domain/names.ts';
import { partsOf } from './parts.ts';

/** A log whose writer cannot be looked for, and that nobody wrote to for this long, is taken for finished. */
const SILENT_MS = 3_600_000;

const markPath = (log: string): string => join(dirname(log), 'writing.json');

/** Says that this process writes the recording whose first log is at `log`; `removeMark` takes it back. */
export function writeMark(log: string): void {
  const mark = { pid: process.pid, started: startOf(process.pid), host: hostname() };
  writeFileSync(markPath(log), JSON.stringify(mark), { mode: 0o600 });
}

export function removeMark(log: string): void {
  rmSync(markPath(log), { force: true });
}

/** Whether a process that is still there may be writing the last part of a recording: such a log must not be sealed. */
export function isBeingWritten(log: string, now: Millis): boolean {
  const path = markPath(log);
  const last = partsOf(log).at(-1)?.log;
  if (!existsSync(path) || last === undefined || !existsSync(last)) return false;
  const { pid, started, host } = whoIn(path);
  const isHere = host === hostname();
  if (isHere && !(pid > 0 && isAlive(pid))) return false;
  // Another machine's, or its number is another process's by now.
  const isElsewhere = !isHere || (started !== '' && started !== startOf(pid));
  return !isElsewhere || now - statSync(last).mtimeMs < SILENT_MS;
}

interface Writer {
  readonly pid: number;
  /** As `startOf` has it; empty also in marks of earlier versions. */
  readonly started: string;
  readonly host: string;
}

function whoIn(path: string): Writer {
  try {
    const { pid, started, host }: Partial<Record<keyof Writer, unknown>> = JSON.parse(readFileSync(path, 'utf8'));
    const text = (given: unknown): string => (typeof given === 'string' ? given : '');
    return { pid: typeof pid === 'number' ? pid : 0, started: text(started), host: text(host) };
  } catch {
    // Half a mark, as a power cut may leave it: whoever wrote it is gone.
    return { pid: 0, started: '', host: hostname() };
  }
}

/** When a process started, in the system's own count: its number may come again, in a container at each start. Empty where the system does not say. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The 20th behind the name, which may have blanks.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    // Not Linux.
    return '';
  }
}

/** Removes from a folder what work of one name has left in it: the own, and that of processes that are gone, which `named` tells by its first group. */
export function removeLeft(dir: string, { own, named }: { readonly own: string; readonly named: RegExp }): void {
  for (const name of readdirSync(dir)) {
    const [, pid] = named.exec(name) ?? [];
    if (pid !== undefined && (name === own || !isAlive(Number(pid)))) rmSync(join(dir, name), { recursive: true, force: true });
  }
}

/** Whether there is a process of this number on this machine. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
