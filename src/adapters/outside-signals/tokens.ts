import { createHmac, timingSafeEqual } from 'node:crypto';

/** The token of a source: made from `signals.secret`, so that it opens no other source and nothing but the secret is kept. */
export function tokenOf(secret: string, source: string): string {
  return createHmac('sha256', secret).update(`kairos signal source ${source}`).digest('base64url');
}

/** True for the same text. Takes the same time wherever they differ, and however long the given one is. */
export function isSame(wanted: string, given: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'kairos').update(text).digest();
  return timingSafeEqual(digest(wanted), digest(given));
}

/** True for the HMAC-SHA256 of the body under the token, in hex, with or without `sha256=` before it. */
export function isSignature(token: string, body: Uint8Array, given: string): boolean {
  return isSame(createHmac('sha256', token).update(body).digest('hex'), given.replace(/^sha256=/, '').toLowerCase());
}
