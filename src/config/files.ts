import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import nodePath from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '#domain/errors.ts';
import type { FaultList } from './faults.ts';
import { parseSource, type Source } from './yaml-source.ts';

/** The configuration that runs without a `kairos.yaml`: paper, on the embedded venue. */
export const PACKAGED = fileURLToPath(new URL('../../config/paper.yaml', import.meta.url));
/** What a `kairos.yaml` is called by mistake. */
const MISNAMED = ['kairos.yml', 'kairos.yaml.txt', 'kairos.yml.txt', 'Kairos.yaml', 'Kairos.yml'];
const MAX_BYTES = 1 << 20;
const MAX_SECRET_BYTES = 16_384;

/** The files to read: the named ones, else `./kairos.yaml`, else the packaged paper configuration, which is a fault beside a misnamed one. */
export function configFiles(named: readonly string[], cwd: string, faults: FaultList): readonly string[] {
  if (named.length > 0) return named.map((file) => nodePath.resolve(cwd, file));
  const own = nodePath.join(cwd, 'kairos.yaml');
  if (existsSync(own)) return [own];
  const misnamed = MISNAMED.find((name) => existsSync(nodePath.join(cwd, name)));
  if (misnamed !== undefined) faults.add(`${misnamed}: is not read: call it kairos.yaml, or name it with --config`, 'CONFIG_UNREADABLE');
  return [PACKAGED];
}

/** From where a file is read, and what takes its faults; `pastFaults` to read as much of a faulty one as can be read. */
interface SourceReading {
  readonly cwd: string;
  readonly faults: FaultList;
  readonly pastFaults?: boolean;
}

/** Reads and parses one file of settings (B19). */
export function readSource(file: string, { cwd, faults, pastFaults = false }: SourceReading): Source | undefined {
  const name = shownPath(file, cwd);
  const bytes = readRegular(file, MAX_BYTES, (why) => faults.add(`${name}: ${why}`, 'CONFIG_UNREADABLE'));
  if (bytes === undefined) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The decoder's error says no more than this.
    faults.add(`${name}: is not UTF-8 text`, 'CONFIG_UNREADABLE');
    if (!pastFaults) return undefined;
    text = new TextDecoder().decode(bytes);
  }
  const source = parseSource(text, name, faults, { pastFaults });
  if (source?.value === null || source?.value === undefined) {
    if (source) faults.add(`${name}: is empty; \`kairos config print\` shows what can stand in it`, 'CONFIG_UNREADABLE');
    return undefined;
  }
  return source;
}

/**
 * Reads a secret from a file that only its owner may read (B38). Returns undefined after reporting a fault. The content never appears
 * in one.
 */
export function readSecretFile(file: string, cwd: string, report: (why: string, exposed: boolean) => void): string | undefined {
  const name = shownPath(nodePath.resolve(cwd, file), cwd);
  let exposed = false;
  const bytes = readRegular(
    nodePath.resolve(cwd, file),
    MAX_SECRET_BYTES,
    (why) => report(`${name}: ${why}`, exposed),
    (stats) => {
      exposed = process.platform !== 'win32' && (stats.mode & othersOf(stats)) !== 0;
      return exposed ? `can be read by others; run: chmod 600 ${name}` : undefined;
    },
  );
  if (bytes === undefined) return undefined;
  const secret = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  report(`${name}: is empty`, false);
  return undefined;
}

/** Whom a secret is kept from. A file of root that is read all the same, as systemd hands it over, has this user in its list of access, which shows as the group. */
const othersOf = ({ uid }: Stats): number => (uid === 0 && process.getuid?.() !== 0 ? 0o007 : 0o077);

/** A path relative to the present folder, as a person would write it. */
export function shownPath(file: string, cwd: string): string {
  const relative = nodePath.relative(cwd, file);
  return relative === '' || relative.startsWith('..') || nodePath.isAbsolute(relative) ? file : relative;
}

/** The bytes of a regular file; `refuse` may object once it is open. Opening does not block on a FIFO. */
function readRegular(
  file: string,
  most: number,
  report: (why: string) => void,
  refuse: (stats: Stats) => string | undefined = () => undefined,
): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    report(whyUnopened(error));
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    const why = stats.isDirectory()
      ? 'is a directory, not a file'
      : !stats.isFile()
        ? 'is not a regular file'
        : stats.size > most
          ? `is larger than ${most} bytes`
          : refuse(stats);
    if (why === undefined) return readFileSync(fd);
    report(why);
  } catch (error) {
    report(`cannot be read: ${messageOf(error)}`);
  } finally {
    closeSync(fd);
  }
  return undefined;
}

function whyUnopened(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES') return 'may not be read by this user';
  return `cannot be read: ${messageOf(error)}`;
}
