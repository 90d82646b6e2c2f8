import { invariant, KairosError } from '#domain/errors.ts';

/** What a signature covers (spec 5.1, signature rule 1). */
interface SignedParts {
  /** Unix milliseconds, the very value of `X-API-Timestamp`. */
  readonly timestampMs: number;
  readonly method: string;
  /** Path as really sent, query string included. */
  readonly path: string;
  /** The value of `X-API-User-ID`, empty when the header is not sent. */
  readonly userId: string;
  /** The raw body, empty when there is none. */
  readonly body: string;
}

const USER_ID = /^[A-Za-z0-9-]{1,64}$/;
const METHOD = /^[A-Z]{3,7}$/;
/** Path characters of RFC 3986 without those that a URL library would rewrite. */
const PATH = /^\/[A-Za-z0-9\-._~/%]*(\?[A-Za-z0-9\-._~/%=&:,+]*)?$/;
const FIRST_13_DIGITS = 1_000_000_000_000;
const LAST_13_DIGITS = 9_999_999_999_999;

/**
 * The canonical request: the parts one after the other, without separators (spec 5.1). Since nothing separates them,
 * two different requests could share one text; so each part keeps a grammar of its own: 13-digit timestamps, capital
 * methods, paths that start with a slash, user ids of letters, digits and dashes, bodies that start with a brace.
 * Throws CONFIG_INVALID where a setting is at fault.
 */
export function canonicalRequest(parts: SignedParts): string {
  const { timestampMs, method, path, userId, body } = parts;
  invariant(
    Number.isInteger(timestampMs) && timestampMs >= FIRST_13_DIGITS && timestampMs <= LAST_13_DIGITS,
    `a signature's time has 13 digits, not ${timestampMs}`,
  );
  invariant(METHOD.test(method), 'a method is written in capitals');
  invariant(body === '' || body.startsWith('{'), 'a signed body is a JSON object');
  checkSignedPath(path);
  if (userId !== '') checkUserId(userId);
  return `${timestampMs}${method}${path}${userId}${body}`;
}

/** Throws CONFIG_INVALID unless `userId` may stand in a signed request: 1 to 64 letters, digits or dashes. */
export function checkUserId(userId: string): void {
  if (USER_ID.test(userId)) return;
  const shown = JSON.stringify(userId.slice(0, 80));
  throw new KairosError('CONFIG_INVALID', `service.userId: ${shown} is not a user id; use 1 to 64 letters, digits or dashes`);
}

/** Throws CONFIG_INVALID unless `path` is sent exactly as it is signed. */
export function checkSignedPath(path: string): void {
  if (PATH.test(path)) return;
  const shown = JSON.stringify(path.slice(0, 80));
  throw new KairosError('CONFIG_INVALID', `service.paths: ${shown} cannot be signed; use an absolute path of plain URL characters`);
}
