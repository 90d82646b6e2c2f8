import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BROKER_KEY, BROKER_SECRET, OTHER_PARTNER, PARTNER_USERS, TIMESTAMP_TOLERANCE_MS } from '#paper-venue/defaults.ts';
import { type ErrorResponse, fieldRefusal, refusal } from './refusal.ts';
import { sameText } from './same-text.ts';

const KEY = Buffer.from(BROKER_SECRET, 'base64');
const NO_BODY = Buffer.alloc(0);
const TIMESTAMP = /^[1-9]\d{0,15}$/;

/** A request as received. The signature covers exactly these bytes. */
interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly rawPath: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Why a broker request is refused: key, then timestamp, then signature, each 401 (spec 5.1, 7). Undefined if it is
 * authentic. A repeated header is joined by the server and so never matches.
 */
export function authenticationFault(request: SignedRequest, nowMs: number): ErrorResponse | undefined {
  const { headers } = request;
  const key = headerOf(headers, 'x-api-key');
  if (key === undefined || !sameText(key, BROKER_KEY)) {
    return refusal(401, 'INVALID_API_KEY', 'X-API-Key is missing or invalid');
  }
  const timestamp = headerOf(headers, 'x-api-timestamp');
  if (timestamp === undefined || !TIMESTAMP.test(timestamp) || Math.abs(Number(timestamp) - nowMs) > TIMESTAMP_TOLERANCE_MS) {
    const what = `X-API-Timestamp is missing or differs from the server's time by more than ${TIMESTAMP_TOLERANCE_MS} ms`;
    return refusal(401, 'INVALID_TIMESTAMP', what);
  }
  const signature = headerOf(headers, 'x-api-signature');
  if (signature === undefined || !sameText(signature, signatureOf(request, timestamp))) {
    return refusal(401, 'INVALID_SIGNATURE', 'X-API-Signature does not match');
  }
  return undefined;
}

/** Why the named user may not act: missing or unknown 400, under another partner 403 (spec 7). */
export function userFault(userId: string | undefined): ErrorResponse | undefined {
  if (userId !== undefined && PARTNER_USERS.has(userId)) return undefined;
  const fields = ['X-API-User-ID'];
  if (userId !== undefined && OTHER_PARTNER.users.has(userId)) {
    return fieldRefusal(403, 'USER_FORBIDDEN', [{ fields, description: 'the user is not registered through the caller' }]);
  }
  const description = userId === undefined ? 'X-API-User-ID is missing' : 'X-API-User-ID is incorrect';
  return fieldRefusal(400, 'INVALID_USER', [{ fields, description }]);
}

/** A header's single value; an empty one counts as missing. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The raw bytes of a request's body. */
export function rawBodyOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : NO_BODY;
}

/** Base64 of HMAC-SHA256 over timestamp, method, path with query, user and raw body, without separators (spec 5.1). */
function signatureOf(request: SignedRequest, timestamp: string): string {
  const user = headerOf(request.headers, 'x-api-user-id') ?? '';
  return createHmac('sha256', KEY).update(`${timestamp}${request.method}${request.rawPath}${user}`).update(request.body).digest('base64');
}
