import { jwtVerify, SignJWT } from 'jose';

export type TokenUse = 'access' | 'refresh' | 'challenge';

/** Whom a token speaks for, and in which session. */
export interface TokenOwner {
  readonly username: string;
  readonly sessionId: string;
}

/** Bearer tokens: JWTs signed with HS256 (spec 5.2; claims are our own choice, for the specification shows none). */
export class Tokens {
  private readonly key: Uint8Array;

  constructor(key: string) {
    this.key = new TextEncoder().encode(key);
  }

  issue(use: TokenUse, owner: TokenOwner, time: { readonly nowMs: number; readonly lifeSeconds: number }): Promise<string> {
    const issuedAt = Math.floor(time.nowMs / 1000);
    return new SignJWT({ use, sid: owner.sessionId })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(owner.username)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + time.lifeSeconds)
      .sign(this.key);
  }

  /** The owner of a token of this use that is ours and has not expired; undefined otherwise. */
  async ownerOf(use: TokenUse, token: string, nowMs: number): Promise<TokenOwner | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: ['HS256'],
        currentDate: new Date(nowMs),
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      const { sub, sid } = payload;
      return payload.use === use && typeof sub === 'string' && typeof sid === 'string' ? { username: sub, sessionId: sid } : undefined;
    } catch {
      // Whatever is wrong with a token, it opens nothing; the caller says no more than that.
      return undefined;
    }
  }
}
