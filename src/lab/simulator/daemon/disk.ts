import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Draws } from '#lab/simulator/world/draws.ts';

/** How a process crashes: killed, which keeps everything that the system took, or by a power failure, which keeps only what was synced. */
export type Crash = 'kill' | 'power';

const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** Bytes of a recording that an operating system may not have written yet; recordings are not synced. */
const UNWRITTEN_BYTES = 40_000;

/** The disk of the simulated machine: a folder in memory. A crash keeps what a real disk would. */
export class Disk {
  readonly folder: string;
  readonly journal: string;
  readonly recordings: string;
  readonly backups: string;
  /** Synced bytes of the write-ahead log if later ones were not; null otherwise. */
  private syncedBytes: number | null = null;
  /** Called while everything that is written is synced, before something else is written or a crash. */
  onSettled: () => void = () => {};
  /** The folder from which the configuration's paths start. */
  readonly home: string;

  constructor() {
    this.home = mkdtempSync(path.join(isFolder('/dev/shm') ? '/dev/shm' : tmpdir(), 'kairos-simulated-'));
    this.folder = path.join(this.home, 'var');
    this.journal = path.join(this.folder, 'kairos.db');
    this.recordings = path.join(this.folder, 'recordings');
    this.backups = path.join(this.folder, 'backups');
    mkdirSync(this.folder, { mode: 0o700 });
    process.chdir(this.home);
  }

  /** Bytes of the write-ahead log that belong to it. */
  get logBytes(): number {
    return validBytes(`${this.journal}-wal`);
  }

  /** Makes later writes volatile until the next sync. */
  beginUnsynced(): void {
    this.settle();
    this.syncedBytes ??= this.logBytes;
  }

  synced(): void {
    this.syncedBytes = null;
  }

  /** Has it looked at what is synced, unless something is not. */
  settle(): void {
    if (this.syncedBytes === null) this.onSettled();
  }

  /** Keeps what a crash now would leave on the disk. */
  crash(how: Crash, draws: Draws): void {
    this.settle();
    keptAs(this.image, this.folder);
    for (const name of readdirSync(this.image)) if (/-shm$|\.lease/.test(name)) rmSync(path.join(this.image, name), { force: true });
    if (how === 'kill') return;
    const log = path.join(this.image, 'kairos.db-wal');
    const end = validBytes(log);
    if (this.syncedBytes !== null && this.syncedBytes < end)
      cut(log, this.syncedBytes + Math.floor(draws.next() * (end - this.syncedBytes + 1)));
    for (const file of recordingsIn(path.join(this.image, 'recordings'))) {
      const { size } = statSync(file);
      cut(file, Math.max(0, size - Math.floor(draws.next() * Math.min(size, UNWRITTEN_BYTES))));
    }
  }

  /** Takes what a crash left of the disk. */
  restore(): void {
    this.loadImage(this.image);
  }

  /** A person keeps a copy of the disk; a crash does not touch it. */
  keepCopy(): void {
    keptAs(this.copy, this.folder);
  }

  /** A person undoes what was done since the copy. */
  undo(): void {
    this.loadImage(this.copy);
  }

  /** A person puts the journal back as it was kept; a halt by file since then stands. */
  putBack(halt: string): void {
    const kept = path.join(this.copy, path.basename(halt));
    rmSync(kept, { force: true });
    if (existsSync(halt)) renameSync(halt, kept);
    this.undo();
  }

  remove(): void {
    process.chdir(tmpdir());
    rmSync(this.home, { recursive: true, force: true });
  }

  private loadImage(image: string): void {
    rmSync(this.folder, { recursive: true, force: true });
    renameSync(image, this.folder);
    this.syncedBytes = null;
  }

  private get image(): string {
    return path.join(this.home, 'image');
  }

  private get copy(): string {
    return path.join(this.home, 'copy');
  }
}

function keptAs(image: string, folder: string): void {
  rmSync(image, { recursive: true, force: true });
  copyFolder(folder, image);
}

/** Copies a folder. What nobody changes any more is the same file in both: reserved space, and recordings of earlier runs. */
function copyFolder(from: string, to: string, isOver = false): void {
  mkdirSync(to, { mode: 0o700 });
  const newest = path.basename(from) === 'recordings' ? newestIn(from) : null;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target, isOver || (newest !== null && entry.name !== newest));
    else if (isOver || entry.name.endsWith('.ballast')) linkSync(source, target);
    else copyFileSync(source, target);
  }
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The run that was recorded last. */
function newestIn(recordings: string): string | undefined {
  return readdirSync(recordings).sort().at(-1);
}

function recordingsIn(folder: string): readonly string[] {
  if (!isFolder(folder)) return [];
  const newest = newestIn(folder);
  if (newest === undefined) return [];
  const files = readdirSync(path.join(folder, newest)).filter((name) => name.endsWith('.ndjson'));
  return files.map((name) => path.join(folder, newest, name));
}

function cut(file: string, bytes: number): void {
  const fd = openSync(file, 'r+');
  ftruncateSync(fd, bytes);
  closeSync(fd);
}

/** Bytes of a write-ahead log that SQLite would read: consecutive frames with the salts of its header. */
function validBytes(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LOG_HEADER) return size;
  const fd = openSync(file, 'r');
  try {
    const head = Buffer.alloc(LOG_HEADER);
    readSync(fd, head, 0, LOG_HEADER, 0);
    const frame = FRAME_HEADER + head.readUInt32BE(8);
    const own = Buffer.alloc(FRAME_HEADER);
    let end = LOG_HEADER;
    while (end + frame <= size) {
      readSync(fd, own, 0, FRAME_HEADER, end);
      if (own.compare(head, 16, 24, 8, 16) !== 0) break;
      end += frame;
    }
    return end;
  } finally {
    closeSync(fd);
  }
}
