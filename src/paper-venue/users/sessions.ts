import type Database from 'better-sqlite3';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { isoTime } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';

/** How long tokens live, in seconds. */
interface TokenLives {
  readonly access: number;
  readonly refresh: number;
}

/** Time limit of a second factor, in seconds. */
const CHALLENGE_SECONDS = 180;

/**
 * The sessions. A session begins with a sign-in; its tokens are valid until they expire or the session is revoked. The
 * signing key and the sessions are in the venue's database: with a file, tokens survive a restart.
 */
export class Sessions {
  private readonly timers: Timers;
  private readonly lives: TokenLives;
  private readonly tokens: Tokens;
  private readonly insert: Database.Statement<[string, string, string]>;
  private readonly revoked: Database.Statement<[string], { readonly revokedAt: string | null }>;
  private readonly revokeAll: Database.Statement<[string]>;

  constructor(db: Database.Database, timers: Timers, lives: TokenLives) {
    this.timers = timers;
    this.lives = lives;
    this.tokens = new Tokens(signingKey(db, timers));
    this.insert = db.prepare('INSERT INTO sessions (session_id, username, created_at) VALUES (?, ?, ?)');
    this.revoked = db.prepare('SELECT revoked_at AS revokedAt FROM sessions WHERE session_id = ?');
    this.revokeAll = db.prepare('UPDATE sessions SET revoked_at = ? WHERE revoked_at IS NULL');
  }

  begin(username: string): TokenOwner {
    const sessionId = this.timers.uuid();
    this.insert.run(sessionId, username, isoTime(this.timers.wallMs()));
    return { username, sessionId };
  }

  access(owner: TokenOwner): Promise<string> {
    return this.issue('access', owner, this.lives.access);
  }

  refresh(owner: TokenOwner): Promise<string> {
    return this.issue('refresh', owner, this.lives.refresh);
  }

  /** The token that the answer to a second factor must return. No session begins before that. */
  challenge(username: string): Promise<string> {
    return this.issue('challenge', { username, sessionId: this.timers.uuid() }, CHALLENGE_SECONDS);
  }

  /** The user of a challenge; undefined if it is not ours or too old. */
  async challenged(token: string): Promise<string | undefined> {
    return (await this.tokens.ownerOf('challenge', token, this.timers.wallMs()))?.username;
  }

  /** The owner of a valid token of a session that was not revoked. */
  async ownerOf(use: 'access' | 'refresh', token: string): Promise<TokenOwner | undefined> {
    const owner = await this.tokens.ownerOf(use, token, this.timers.wallMs());
    return owner && this.revoked.get(owner.sessionId)?.revokedAt === null ? owner : undefined;
  }

  /** Revokes every session and its tokens. Returns the number of open sessions. */
  revokeEvery(): number {
    return this.revokeAll.run(isoTime(this.timers.wallMs())).changes;
  }

  private issue(use: TokenUse, owner: TokenOwner, lifeSeconds: number): Promise<string> {
    return this.tokens.issue(use, owner, { nowMs: this.timers.wallMs(), lifeSeconds });
  }
}

/** The key in the database, or a new one that is stored there. */
function signingKey(db: Database.Database, timers: Timers): string {
  db.prepare('INSERT INTO signing_keys (name, key) VALUES (?, ?) ON CONFLICT DO NOTHING').run('tokens', `${timers.uuid()}${timers.uuid()}`);
  return String(db.prepare('SELECT key FROM signing_keys WHERE name = ?').pluck().get('tokens'));
}

type TokenUse = 'access' | 'refresh' | 'challenge';

/** The user and the session of a token. */
export interface TokenOwner {
  readonly username: string;
  readonly sessionId: string;
}

/** Bearer tokens: JWTs signed with HS256 (spec 5.2; claims are our own choice, since the specification shows none). */
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

  /** The owner of a token that is ours, of this use and not expired; undefined otherwise. */
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
      // Every faulty token is refused alike.
      return undefined;
    }
  }
}
