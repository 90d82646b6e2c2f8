import { createHmac } from 'node:crypto';
import { LOGIN } from '#paper-venue/defaults.ts';
import { sameText } from '#paper-venue/http/same-text.ts';

/** Maximum number of codes tried in one step of 30 seconds; after that none is accepted until the next step. */
const MAX_TRIES = 5;

/** RFC 6238 as in authenticator apps: SHA-1, steps of 30 seconds, six digits. */
const STEP_MS = 30_000;
const CODE_DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** True if username and password are those of the one user who can sign in. */
export function isRightPassword(username: string, password: string): boolean {
  const sameName = sameText(username, LOGIN.username);
  return sameText(password, LOGIN.password) && sameName;
}

/** The second factor: each code is valid once, and guessing is limited (RFC 6238, 5.2). */
export class SecondFactor {
  private readonly key: Buffer;
  private lastStep = -1;
  private tries = { window: -1, count: 0 };

  /** `secret` is Base32. */
  constructor(secret: string) {
    this.key = totpKey(secret);
  }

  accepts(code: string, nowMs: number): boolean {
    const window = Math.floor(nowMs / 30_000);
    this.tries = this.tries.window === window ? { window, count: this.tries.count + 1 } : { window, count: 1 };
    if (this.tries.count > MAX_TRIES) return false;
    const step = stepOfCode(this.key, code, nowMs);
    if (step === undefined || step <= this.lastStep) return false;
    this.lastStep = step;
    return true;
  }
}

/** The bytes of a secret in Base32 (RFC 4648), padding and letter case ignored. */
export function totpKey(secret: string): Buffer {
  const bits = [...secret.toUpperCase().replace(/=+$/, '')].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** The number of the step at a time. */
export const totpStep = (nowMs: number): number => Math.floor(nowMs / STEP_MS);

/** The code of one step. */
export function totpCode(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
}

/** The step of a code: the present one or a neighbour, to allow for clock differences; undefined for a wrong code. */
function stepOfCode(key: Buffer, code: string, nowMs: number): number | undefined {
  const now = totpStep(nowMs);
  return [now, now - 1, now + 1].find((step) => step >= 0 && sameText(code, totpCode(key, step)));
}
