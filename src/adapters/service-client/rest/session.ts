import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';
import type { HttpCalls, Patience } from './http-call.ts';
import type { ServiceSettings } from './settings.ts';
import { isToken, lapseOfToken, prolong, type SignInTokens, signIn } from './sign-in.ts';
import { totpKey } from './totp.ts';

/** A token is renewed this long before it expires, in milliseconds, or at half its life. */
const RENEW_BEFORE_MS = 60_000;

/** Where the token that prolongs a session is kept over restarts. */
export interface RefreshTokens {
  /** Null where there is none. Throws a KairosError where it cannot be trusted. */
  read(): string | null;
  /** Throws a KairosError where it cannot, unless somebody hears of that. */
  keep(token: string): void;
}

interface SessionOptions {
  readonly calls: HttpCalls;
  readonly timers: Timers;
  readonly service: Pick<ServiceSettings, 'token' | 'username' | 'password' | 'totpSecret'>;
  readonly path: string;
  /** Asks a person for the six digits of the second factor; absent where nobody can answer. */
  readonly askDigits?: () => Promise<string>;
  readonly refreshTokens?: RefreshTokens;
}

/** How it stands with the token. */
export interface TokenState {
  /** There is a token that was not refused and has not expired. */
  readonly good: boolean;
  /** Infinity where nobody said. */
  readonly lapsesMs: Millis;
  /** When it was obtained; undefined for one that was given. */
  readonly sinceMs: Millis | undefined;
  /** Another one can be obtained without a person. */
  readonly canRenew: boolean;
}

/**
 * The bearer token: given, or had by signing in, and prolonged before it lapses (notes to the specification, "Bearer token").
 * It lives in memory alone and never appears in an error.
 */
export class Session {
  private readonly options: SessionOptions;
  private readonly totp: Buffer | null;
  private token: string | null;
  private refreshToken: string | null = null;
  /** Refresh tokens that brought nothing. */
  private readonly spent = new Set<string>();
  private lapsesMs: Millis;
  private sinceMs: Millis | undefined;
  private isRefused = false;
  private renewing: Promise<string> | null = null;

  /** Throws CONFIG_INVALID for a token or a secret that cannot be used. */
  constructor(options: SessionOptions) {
    const { token, totpSecret } = options.service;
    this.options = options;
    this.totp = totpSecret === null ? null : totpKey(totpSecret);
    if (token !== null && !isToken(token)) {
      throw new KairosError(
        'CONFIG_INVALID',
        'service.token: the token has characters that no header can carry; copy it again (KAIROS_TOKEN)',
      );
    }
    this.token = token;
    this.lapsesMs = token === null ? Number.POSITIVE_INFINITY : lapseOfToken(token);
  }

  get state(): TokenState {
    const { token, isRefused, lapsesMs, sinceMs, canRenew } = this;
    return { good: token !== null && !isRefused && this.options.timers.wallMs() < lapsesMs, lapsesMs, sinceMs, canRenew };
  }

  /** A good token that is available now; null if there is none. */
  get atHand(): string | null {
    return this.state.good ? this.token : null;
  }

  /** True if another token can be obtained without a person: by signing in, or with a refresh token. */
  get canRenew(): boolean {
    const { username, password } = this.options.service;
    return (username !== null && password !== null) || this.refreshToken !== null || this.options.refreshTokens !== undefined;
  }

  /** A token to send; null if there is none and no way to get one. Rejects with a KairosError if getting one fails. */
  async current(patience: Patience = {}): Promise<string | null> {
    const { token, isRefused } = this;
    const leftMs = this.lapsesMs - this.options.timers.wallMs();
    const lifeMs = this.sinceMs === undefined ? Number.POSITIVE_INFINITY : this.lapsesMs - this.sinceMs;
    if (token !== null && !isRefused && leftMs > Math.min(RENEW_BEFORE_MS, lifeMs / 2)) return token;
    if (!this.canRenew) return token;
    try {
      return await this.renew(patience);
    } catch (error) {
      // A token that is still valid is used until it expires.
      if (token !== null && !isRefused && leftMs > 0) return token;
      throw error;
    }
  }

  /** The service refused `token`: another one is obtained for the next call, unless that has happened meanwhile. */
  refused(token: string): void {
    if (this.token === token) this.isRefused = true;
  }

  /** The service accepted `token`. */
  taken(token: string): void {
    if (this.token === token) this.isRefused = false;
  }

  /** Gets another token. Callers that need one at the same time share it. Rejects with a KairosError. */
  renew({ withinMs }: Patience = {}): Promise<string> {
    this.renewing ??= this.ask(withinMs).finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  private async ask(withinMs: number | undefined): Promise<string> {
    const { service, refreshTokens: _, askDigits, ...options } = this.options;
    const parts = { ...options, withinMs };
    for (let refreshToken = this.untried(); refreshToken !== undefined; refreshToken = this.untried()) {
      const prolonged = await prolong(parts, refreshToken);
      // Where no token is in hand a session that was only prolonged is of no use.
      const isOfUse = prolonged !== null && (prolonged.token !== null || (this.token !== null && !this.isRefused));
      // One that was replaced may end the session where it comes again, as from a file that could not be written.
      if (!isOfUse || (prolonged.refreshToken ?? refreshToken) !== refreshToken) this.spent.add(refreshToken);
      if (isOfUse) return this.adopt(prolonged);
    }
    const { username, password } = service;
    if (username === null || password === null) {
      throw new KairosError(
        'SERVICE_REFUSED',
        'there is no session to prolong: run `kairos remote sign-in`, or give a token (KAIROS_TOKEN)',
      );
    }
    return this.adopt(await signIn({ ...parts, username, password, totpKey: this.totp, ...(askDigits && { askDigits }) }));
  }

  /** The file's refresh token comes before the one in memory: another process may have prolonged the session since. */
  private untried(): string | undefined {
    const isUntried = (token: string | null): token is string => token !== null && !this.spent.has(token);
    return [this.inFile(), this.refreshToken].find(isUntried);
  }

  /** A file that cannot be read matters only where there is no token in memory. */
  private inFile(): string | null {
    try {
      return this.options.refreshTokens?.read() ?? null;
    } catch (error) {
      if (this.refreshToken === null) throw error;
      return null;
    }
  }

  private adopt({ token, refreshToken, expiresMs }: SignInTokens): string {
    const next = token ?? this.token;
    if (next === null)
      throw new KairosError('SERVICE_UNREADABLE', 'the service prolonged the session without sending a token, and Kairos has none');
    this.token = next;
    this.refreshToken = refreshToken;
    this.lapsesMs = expiresMs;
    this.sinceMs = this.options.timers.wallMs();
    this.isRefused = false;
    if (refreshToken !== null) this.options.refreshTokens?.keep(refreshToken);
    return next;
  }
}
