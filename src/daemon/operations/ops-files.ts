import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { isOwn, readSmall, replaceFile } from '#adapters/journal/files.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';

/** The control address of a running daemon. */
export interface DaemonAddress {
  readonly pid: number;
  readonly url: string;
  /** What only who has the token can have written. */
  readonly proof: string;
}

/** The token in `file`, which is made if missing. Throws SECRET_EXPOSED if others could have read it. */
export function tokenIn(file: string): string {
  if (!existsSync(file)) {
    try {
      writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another daemon of the folder has made it in the meantime.
      if (!existsSync(file)) throw error;
    }
  }
  const { mode } = lstatSync(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new KairosError('SECRET_EXPOSED', `${file} can be read by others: remove it, and the next start makes another`);
  }
  const token = readSmall(file).trim();
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return token;
  throw new KairosError('CONFIG_INVALID', `${file} holds no token of 16 to 512 characters: remove it, and the next start makes another`);
}

/**
 * The token of a running daemon: the configured one, else the one in `file`. Throws CONFIG_INVALID if there is none,
 * since a new one would not be the daemon's.
 */
export function tokenOfDaemon({ ops }: Pick<Settings, 'ops'>, file: string): string {
  if (ops.token === null && !existsSync(file)) {
    throw new KairosError(
      'CONFIG_INVALID',
      `the running daemon's token is not here: give this command its KAIROS_OPS_TOKEN, as its unit does; where it has none, put ${file} back, or restart it`,
    );
  }
  return ops.token ?? tokenIn(file);
}

export function publish(file: string, address: Omit<DaemonAddress, 'proof'>, token: string): void {
  replaceFile(file, `${JSON.stringify({ ...address, proof: proofOf(address, token) })}\n`);
}

export function withdraw(file: string): void {
  rmSync(file, { force: true });
}

/** The address in `file`, which is this user's alone; undefined for none. Whether the daemon wrote it, `isProven` says. */
export function publishedIn(file: string): DaemonAddress | undefined {
  try {
    const { pid, url, proof }: Readonly<Record<string, unknown>> = Object(JSON.parse(readSmall(file, isOwn)));
    return typeof pid === 'number' && typeof url === 'string' ? { pid, url, proof: String(proof) } : undefined;
  } catch {
    // There is none, or it is torn, or not ours.
    return undefined;
  }
}

/** Whether who published an address has this token, which may be sent there. */
export function isProven({ proof, ...address }: DaemonAddress, token: string): boolean {
  const [given, expected] = [Buffer.from(proof), Buffer.from(proofOf(address, token))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const proofOf = ({ pid, url }: Omit<DaemonAddress, 'proof'>, token: string): string =>
  createHmac('sha256', token).update(`${pid} ${url}`).digest('base64url');
