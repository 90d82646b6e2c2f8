import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import nodePath from 'node:path';
import { replaceFile } from '#adapters/journal/files.ts';
import type { RefreshTokens } from '#adapters/service/rest/session.ts';
import { KairosError } from '#domain/errors.ts';

const MAX_BYTES = 16_384;

/**
 * Keeps the token that prolongs a session in a file that its owner alone may read (`service.refreshTokenFile`), together with the
 * address that it is for, so that it is never shown to another. Reading throws SECRET_EXPOSED where others could have read it.
 */
export function refreshTokensIn(file: string, origin: string): RefreshTokens {
  return {
    read() {
      if (!existsSync(file)) return null;
      const { mode, size } = lstatSync(file);
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
        throw new KairosError('SECRET_EXPOSED', `${file} can be read by others: remove it, and run \`kairos remote sign-in\` again`);
      }
      return size > MAX_BYTES ? null : tokenIn(readFileSync(file, 'utf8'), origin);
    },
    keep(token) {
      mkdirSync(nodePath.dirname(file), { recursive: true, mode: 0o700 });
      replaceFile(file, `${JSON.stringify({ origin, refreshToken: token })}\n`);
    },
    forget: () => rmSync(file, { force: true }),
  };
}

function tokenIn(text: string, origin: string): string | null {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== 'object' || kept === null || !('origin' in kept) || !('refreshToken' in kept)) return null;
    return kept.origin === origin && typeof kept.refreshToken === 'string' ? kept.refreshToken : null;
  } catch {
    // Torn or of something else: as good as none, and the next sign-in writes it anew.
    return null;
  }
}
