import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { replaceFile } from '#adapters/journal/files.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';

/** The control address of a running daemon. */
export interface Published {
  readonly pid: number;
  readonly url: string;
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
  const token = readFileSync(file, 'utf8').trim();
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return token;
  throw new KairosError('CONFIG_INVALID', `${file} holds no token of 16 to 512 characters: remove it, and the next start makes another`);
}

/**
 * The token of a running daemon: the configured one, else the one in `file`. Throws CONFIG_INVALID if the file is gone,
 * since a new one would not be the daemon's.
 */
export function tokenOfDaemon({ ops }: Pick<Settings, 'ops'>, file: string): string {
  if (ops.token === null && !existsSync(file)) {
    throw new KairosError(
      'CONFIG_INVALID',
      `${file} is gone, which holds the token of the running daemon: put it back, or restart the daemon, which makes another`,
    );
  }
  return ops.token ?? tokenIn(file);
}

export function publish(file: string, published: Published): void {
  replaceFile(file, `${JSON.stringify(published)}\n`);
}

export function withdraw(file: string): void {
  rmSync(file, { force: true });
}

/** The address of the daemon that wrote `file`, or undefined. */
export function publishedIn(file: string): Published | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof found !== 'object' || found === null || !('pid' in found) || !('url' in found)) return undefined;
    return typeof found.pid === 'number' && typeof found.url === 'string' ? { pid: found.pid, url: found.url } : undefined;
  } catch {
    // Being replaced, or torn.
    return undefined;
  }
}
