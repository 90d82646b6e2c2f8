import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { KairosError } from '#domain/errors.ts';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MIN_BYTES = 16;
const API_SECRET = { key: 'service.apiSecret', env: 'KAIROS_API_SECRET' };
/** Length of 32 bytes in Base64. */
const SIGNATURE_LENGTH = 44;

/**
 * The HMAC key that an API secret stands for: its Base64-decoded bytes (spec 5.1, signature rule 2). Node's own decoder
 * skips what it does not know, so the text is checked first. Throws CONFIG_INVALID, naming the setting `key` and without
 * showing the secret.
 */
export function signingKey(secret: string, { key, env } = API_SECRET): KeyObject {
  const standard = standardBase64(secret);
  const fault = faultOf(standard);
  if (fault === null) return createSecretKey(Buffer.from(standard, 'base64'));
  throw new KairosError('CONFIG_INVALID', `${key}: ${fault}; copy it again from the service as it is (${env})`);
}

/** Base64 of the HMAC-SHA256 of a canonical text (spec 5.1, signature rule 3). Text is signed as UTF-8. */
export function sign(key: KeyObject, canonical: string | Uint8Array): string {
  return createHmac('sha256', key).update(canonical).digest('base64');
}

/** True when `signature` is exactly the one of `canonical`; takes the same time wherever they differ. */
export function signatureMatches(key: KeyObject, canonical: string | Uint8Array, signature: string): boolean {
  if (signature.length !== SIGNATURE_LENGTH || !BASE64.test(signature)) return false;
  return timingSafeEqual(Buffer.from(sign(key, canonical), 'latin1'), Buffer.from(signature, 'latin1'));
}

/** Padding may have been left off, and both alphabets of RFC 4648 stand for the same bytes. */
function standardBase64(secret: string): string {
  const standard = /[+/]/.test(secret) ? secret : secret.replaceAll('-', '+').replaceAll('_', '/');
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=');
}

function faultOf(secret: string): string | null {
  if (secret === '') return 'the secret is empty';
  if (/\s/.test(secret)) return 'the secret has blanks or line ends in it';
  if (!BASE64.test(secret)) return 'the secret is not Base64';
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.toString('base64') !== secret) return 'the secret is not Base64 in its one canonical form';
  if (bytes.length < MIN_BYTES) return `the secret has ${bytes.length} bytes, fewer than ${MIN_BYTES}`;
  return null;
}
