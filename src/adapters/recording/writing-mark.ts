import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Millis } from '#domain/names.ts';
import { partsOf } from './parts.ts';

/** A log of another machine that nobody wrote to for this long is taken for finished. */
const SILENT_MS = 3_600_000;

const markPath = (log: string): string => join(dirname(log), 'writing.json');

/** Says that this process writes the recording whose first log is at `log`; `removeMark` takes it back. */
export function writeMark(log: string): void {
  writeFileSync(markPath(log), JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
}

export function removeMark(log: string): void {
  rmSync(markPath(log), { force: true });
}

/** Whether a process that is still there may be writing the last part of a recording: such a log must not be sealed. */
export function isBeingWritten(log: string, now: Millis): boolean {
  const path = markPath(log);
  const last = partsOf(log).at(-1)?.log;
  if (!existsSync(path) || last === undefined || !existsSync(last)) return false;
  const { pid, host } = whoIn(path);
  if (host !== hostname()) return now - statSync(last).mtimeMs < SILENT_MS;
  return pid > 0 && isAlive(pid);
}

function whoIn(path: string): { readonly pid: number; readonly host: string } {
  try {
    const { pid, host }: { pid?: unknown; host?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
    return { pid: typeof pid === 'number' ? pid : 0, host: typeof host === 'string' ? host : '' };
  } catch {
    // Half a mark, as a power cut may leave it: whoever wrote it is gone.
    return { pid: 0, host: hostname() };
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
