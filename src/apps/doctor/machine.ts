import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { assertSqliteVersion } from '#adapters/journal/database.ts';
import { messageOf } from '#domain/errors.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** What the doctor asks of the machine; tests say other things. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly nodeVersion: string;
  readonly sqliteVersion: string;
  /** Files that this process may have open; null where that is not known. */
  readonly openFiles: number | null;
  /** Bytes that may still be written to the disk of a folder. */
  readonly freeBytes: (folder: string) => number;
}

export function thisMachine(): Machine {
  return {
    env: process.env,
    nodeVersion: process.versions.node,
    sqliteVersion: sqliteVersion(),
    openFiles: openFilesLimit(),
    freeBytes(folder) {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
  };
}

const MIN_NODE = 20;
/** Files besides lanes: journal, recording, servers, order connections. */
const OTHER_FILES = 128;
/** A busy day on 100 lanes fits into 50 MB of journal. */
const MIN_FREE = 64 * 1024 ** 2;
const WANTED_FREE = 1024 ** 3;

/** Node and SQLite, what the environment does to TLS, and how many connections may be open. */
export function machineFindings({ env, nodeVersion, sqliteVersion: sqlite, openFiles }: Machine, lanes: number): readonly Finding[] {
  const major = Number(nodeVersion.split('.')[0]);
  const needed = lanes + OTHER_FILES;
  return [
    major >= MIN_NODE ? ok('node', `Node ${nodeVersion}`) : fail('node', `Node ${nodeVersion}`, `install Node ${MIN_NODE} or newer`),
    sqliteFinding(sqlite),
    env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? fail('tls', 'NODE_TLS_REJECT_UNAUTHORIZED=0: anybody on the way could pose as the service', 'unset NODE_TLS_REJECT_UNAUTHORIZED')
      : env.NODE_EXTRA_CA_CERTS
        ? warn('tls', `NODE_EXTRA_CA_CERTS adds the certificates of ${env.NODE_EXTRA_CA_CERTS}`, 'unset it unless you mean it')
        : ok('tls', 'certificates are checked'),
    openFiles === null || openFiles >= needed
      ? ok('open files', openFiles === null ? 'no limit is known' : `${openFiles} allowed, about ${needed} needed for ${lanes} lanes`)
      : fail('open files', `${openFiles} allowed, about ${needed} needed for ${lanes} lanes`, `ulimit -n ${2 * needed}`),
  ];
}

/** Whether a folder can be written, and how much room its disk has. */
export function folderFinding(check: string, folder: string, { freeBytes }: Pick<Machine, 'freeBytes'>): Finding {
  const there = nearestThere(folder);
  if (!statSync(there).isDirectory()) return fail(check, `${there} is not a folder`, `move ${there} away`);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail(check, `${folder} cannot be written: ${messageOf(error)}`, `make ${there} writable for this user`);
  }
  const free = freeBytes(there);
  const room = `${Math.floor(free / 1024 ** 2)} MB free`;
  if (free < MIN_FREE) return fail(check, `${folder}: ${room}; a full disk halts trading`, 'make room, or name a folder on another disk');
  return free < WANTED_FREE
    ? warn(check, `${folder}: ${room}`, 'make room: a day may take 50 MB, recordings more')
    : ok(check, `${folder}: ${room}`);
}

function nearestThere(folder: string): string {
  let at = path.resolve(folder);
  while (!existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
}

function sqliteFinding(version: string): Finding {
  try {
    assertSqliteVersion(version);
    return ok('sqlite', `SQLite ${version}`);
  } catch (error) {
    return fail('sqlite', messageOf(error), 'run npm ci');
  }
}

function sqliteVersion(): string {
  const database = new Database(':memory:');
  try {
    return String(database.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    database.close();
  }
}

/** The soft limit of open files, as the process report has it. */
function openFilesLimit(): number | null {
  const report: unknown = process.report.getReport();
  if (typeof report !== 'object' || report === null || !('userLimits' in report)) return null;
  const { userLimits } = report;
  if (typeof userLimits !== 'object' || userLimits === null || !('open_files' in userLimits)) return null;
  const { open_files: limit } = userLimits;
  if (typeof limit !== 'object' || limit === null || !('soft' in limit)) return null;
  return typeof limit.soft === 'number' ? limit.soft : null;
}
