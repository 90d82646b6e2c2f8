import { createHmac } from 'node:crypto';
import { sameText } from '#venue/http/same-text.ts';

/** RFC 6238 as authenticator programs have it: SHA-1, steps of 30 seconds, six digits. */
const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a secret in Base32 (RFC 4648), padding and letter case ignored. */
export function totpKey(secret: string): Buffer {
  const bits = [...secret.toUpperCase().replace(/=+$/, '')].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** The number of the step that a moment lies in. */
export const totpStep = (nowMs: number): number => Math.floor(nowMs / STEP_MS);

/** The code of one step. */
export function totpCode(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step whose code this is: the present one or a neighbour, for clocks that differ a little; undefined for a wrong code. */
export function stepOfCode(key: Buffer, code: string, nowMs: number): number | undefined {
  const now = totpStep(nowMs);
  return [now, now - 1, now + 1].find((step) => step >= 0 && sameText(code, totpCode(key, step)));
}
