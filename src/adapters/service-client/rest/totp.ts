import { createHmac } from 'node:crypto';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';

/** How long a code lives, in milliseconds. */
export const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SECRET = /^[A-Z2-7]{16,256}=*$/;

/** The key of a second factor from its secret in Base32 (RFC 4648), letter case and spaces ignored. Throws CONFIG_INVALID; the secret is not shown. */
export function totpKey(secret: string): Buffer {
  const letters = secret.replaceAll(' ', '').toUpperCase();
  if (!SECRET.test(letters)) {
    throw new KairosError(
      'CONFIG_INVALID',
      'service.totpSecret: is not a Base32 secret of 16 letters or more; copy it again (KAIROS_TOTP_SECRET)',
    );
  }
  const bits = [...letters.replace(/=+$/, '')].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The six digits of a second factor at a Unix time in milliseconds: SHA-1, steps of 30 seconds (RFC 6238). */
export function totpCode(key: Buffer, atMs: Millis): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** How long the present code lives, in milliseconds. */
export const totpLeftMs = (atMs: Millis): Millis => STEP_MS - (atMs % STEP_MS);
