import { LOGIN } from '#venue/defaults.ts';
import { sameText } from '#venue/http/same-text.ts';
import { stepOfCode, totpKey } from './totp.ts';

/** Codes of a second factor that may be tried in one step of 30 seconds; then none is right until the next. */
const MAX_TRIES = 5;

/** Whether username and password are those of the one user who can sign in. */
export function isRightPassword(username: string, password: string): boolean {
  const sameName = sameText(username, LOGIN.username);
  return sameText(password, LOGIN.password) && sameName;
}

/** The second factor: each code is good once, and guessing is slowed down (RFC 6238, 5.2). */
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
