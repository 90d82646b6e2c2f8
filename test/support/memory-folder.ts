import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const MEMORY = '/dev/shm';

/** What the tests that run at a time take at most, many times over. */
const ROOM_BYTES = 2e9;

/**
 * Has temporary files of this process and of those that it starts lie in memory, where a commit waits for no disk: a tenth of what tests take
 * of the processor, and most of what they wait. Left as it is where a folder was named, or where no memory is mounted that may hold programs.
 * Takes away what runs left that were killed.
 */
export function keepFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^kairos-tests-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(path.join(MEMORY, name), { recursive: true, force: true });
  }
  const folder = path.join(MEMORY, `kairos-tests-${process.pid}`);
  mkdirSync(folder);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.TMPDIR = folder;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES && /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m.test(readFileSync('/proc/mounts', 'utf8'));
  } catch {
    return false;
  }
}
