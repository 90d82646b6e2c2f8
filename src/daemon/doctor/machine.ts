import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import Database from 'better-sqlite3';
import { assertSqliteVersion } from '#adapters/journal/database.ts';
import { IN_MEMORY } from '#adapters/journal/files.ts';
import { journalGrowth } from '#adapters/journal/growth.ts';
import { isRotationDue } from '#adapters/journal/rotate.ts';
import type { Settings } from '#config/settings.ts';
import { messageOf } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { type Finding, fail, guarded, ok, warn } from './finding.ts';

/** The machine for the doctor; tests replace it. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly nodeVersion: string;
  readonly sqliteVersion: string;
  /** Files that this process may have open; null where that is not known. */
  readonly openFiles: number | null;
  /** Free bytes on the disk of a folder. */
  readonly freeBytes: (folder: string) => number;
  /** The secrets that the shipped unit hands to the bot of a folder alone; null where there are none. */
  readonly credentials: (folder: string) => string | null;
}

const MIN_NODE = 20;
/** Files besides lanes: journal, recording, servers, order connections. */
const OTHER_FILES = 128;
/** Days that the disk should last. */
export const DISK_DAYS = 30;

/** The machine that this process runs on. */
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
    credentials(folder) {
      const secrets = path.join('/etc/kairos', path.basename(folder));
      return existsSync(secrets) ? secrets : null;
    },
  };
}

/** Below it trading ends within minutes, in bytes: a start keeps 4 MB for the halt, and the journal's log takes as much. */
const MIN_FREE = 8 * 1024 ** 2;
const WANTED_FREE = 1024 ** 3;

/** Checks Node, SQLite, the environment's switches for TLS, and the limit of open files. */
export function machineFindings({ env, nodeVersion, sqliteVersion: sqlite, openFiles }: Machine, lanes: number): readonly Finding[] {
  const major = Number(nodeVersion.split('.')[0]);
  const needed = lanes + OTHER_FILES;
  return [
    major >= MIN_NODE ? ok('node', `Node ${nodeVersion}`) : fail('node', `Node ${nodeVersion}`, `install Node ${MIN_NODE} or newer`),
    sqliteFinding(sqlite),
    env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? fail('tls', 'NODE_TLS_REJECT_UNAUTHORIZED=0: anybody in between could pose as the service', 'unset NODE_TLS_REJECT_UNAUTHORIZED')
      : env.NODE_EXTRA_CA_CERTS
        ? warn('tls', `NODE_EXTRA_CA_CERTS adds the certificates of ${env.NODE_EXTRA_CA_CERTS}`, 'unset it unless you mean it')
        : ok('tls', 'certificates are checked'),
    openFiles === null || openFiles >= needed
      ? ok('open files', openFiles === null ? 'no limit is known' : `${openFiles} allowed, about ${needed} needed for ${lanes} lanes`)
      : fail('open files', `${openFiles} allowed, about ${needed} needed for ${lanes} lanes`, `ulimit -n ${2 * needed}`),
  ];
}

/** Checks that a folder can be written and that its disk has room. */
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
    ? warn(check, `${folder}: ${room}; a full disk halts trading`, 'make room: a day may take 50 MB, recordings more')
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

/** Checks how long the disk lasts: the journal's bytes for an order, and for a day at the recent rate. */
export async function growthFindings(
  settings: Settings,
  look: Pick<Machine, 'freeBytes'> & { readonly now: Millis },
): Promise<readonly Finding[]> {
  const { freeBytes, now } = look;
  const { path: file } = settings.journal;
  if (file === IN_MEMORY || !existsSync(file)) return [];
  return guarded('journal size', '`kairos journal verify` says whether it can be read', () => {
    const { bytes, orderBytes, perDay } = journalGrowth(
      file,
      settings.strategies.map(({ id }) => id),
    );
    const parts = [
      `${bytesText(bytes)} now`,
      ...(orderBytes === null ? [] : [`${bytesText(orderBytes)} an order`]),
      ...(perDay === null ? [] : [`${bytesText(perDay.bytes)} a day at the recent rate (${perDay.orders} orders a day)`]),
    ];
    const free = freeBytes(path.dirname(file));
    if (settings.journal.rotate.at === null && isRotationDue(file, settings.journal.rotate, now))
      return [
        warn(
          'journal size',
          `${parts.join(', ')}: journal.rotate is due`,
          'set journal.rotate.at, or start the daemon again at a quiet time, and it rotates first',
        ),
      ];
    if (perDay === null || perDay.bytes * DISK_DAYS <= free) return [ok('journal size', parts.join(', '))];
    const days = Math.floor(free / perDay.bytes);
    return [
      warn(
        'journal size',
        `${parts.join(', ')}: the disk lasts ${days} ${days === 1 ? 'day' : 'days'}`,
        'make room, fewer orders, or set journal.path to another file at a quiet time',
      ),
    ];
  });
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in three figures, as in `1.2 GB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const figure = bytes / 1000 ** power;
  return `${power === 0 || figure >= 100 ? Math.round(figure) : figure.toFixed(1)} ${UNITS[power]}`;
}

interface Listener {
  readonly check: string;
  readonly host: string;
  /** Null: the next free port from 8080; 0: any free port. */
  readonly port: number | null;
  readonly mend: string;
}

/** Who has the journal; `pid` is null for a process of another user. Null: nobody. */
type Holder = { readonly pid: number | null } | null;

/** Checks that the daemon can listen at its port, where none runs that already does. */
export async function portFindings(
  { ops, webhooks, signals }: Pick<Settings, 'ops' | 'webhooks' | 'signals'>,
  holder: Holder,
): Promise<readonly Finding[]> {
  const listeners: readonly Listener[] = [
    { check: 'port', ...ops, mend: 'set another ops.port, or none' },
    ...(webhooks.enabled ? [{ check: 'webhooks port', ...webhooks, mend: 'set another webhooks.port' }] : []),
    ...(signals.sources.length > 0 ? [{ check: 'signals port', ...signals, mend: 'set another signals.port' }] : []),
  ];
  return Promise.all(listeners.map((listener) => findingOf(listener, holder)));
}

async function findingOf({ check, host, port, mend }: Listener, holder: Holder): Promise<Finding> {
  if (port === null) return ok(check, 'the next free one from 8080');
  if (port === 0) return ok(check, 'one that is free');
  if (holder !== null) {
    return ok(check, `${port}: ${holder.pid === null ? 'a daemon of another user' : `the daemon of process ${holder.pid}`} runs`);
  }
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
    return ok(check, `${host}:${port} is free`);
  } catch (error) {
    return fail(check, `${host}:${port} cannot be had: ${messageOf(error)}`, mend);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
