import { STEP_MS, totpCode, totpKey } from '#adapters/service-client/rest/totp.ts';
import { LOGIN } from '#paper-venue/defaults.ts';
import { sameText } from '#paper-venue/http/same-text.ts';

/** Maximum number of codes tried in one step of 30 seconds; after that none is accepted until the next step. */
const MAX_TRIES = 5;

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
    const window = Math.floor(nowMs / STEP_MS);
    this.tries = this.tries.window === window ? { window, count: this.tries.count + 1 } : { window, count: 1 };
    if (this.tries.count > MAX_TRIES) return false;
    const step = stepOfCode(this.key, code, nowMs);
    if (step === undefined || step <= this.lastStep) return false;
    this.lastStep = step;
    return true;
  }
}

/** The step of a code: the present one or a neighbour, to allow for clock differences; undefined for a wrong code. */
function stepOfCode(key: Buffer, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / STEP_MS);
  return [now, now - 1, now + 1].find((step) => step >= 0 && sameText(code, totpCode(key, step * STEP_MS)));
}
