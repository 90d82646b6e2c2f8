import { KairosError } from '../domain/errors.ts';
import type { Millis } from '../domain/names.ts';
import type { Timers } from '../ports/timers.ts';
import { printable } from './decode-frame.ts';
import type { HttpCalls } from './http-call.ts';
import { loginAnswer } from './service-records.ts';
import type { ServiceSettings } from './settings.ts';

/** A token is renewed so long before it expires. */
const RENEW_BEFORE_MS = 60_000;
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The bearer token: given, or had by signing in with user name and password (notes to the specification, bearer token
 * 1). It never appears in an error.
 */
export class Session {
  private readonly calls: HttpCalls;
  private readonly timers: Timers;
  private readonly service: Pick<ServiceSettings, 'token' | 'username' | 'password'>;
  private readonly path: string;
  private token: string | null;
  private expiresMs: Millis = Number.POSITIVE_INFINITY;
  private signingIn: Promise<string> | null = null;

  constructor(options: {
    calls: HttpCalls;
    timers: Timers;
    service: Pick<ServiceSettings, 'token' | 'username' | 'password'>;
    path: string;
  }) {
    this.calls = options.calls;
    this.timers = options.timers;
    this.service = options.service;
    this.path = options.path;
    this.token = options.service.token;
    if (this.token !== null && !TOKEN.test(this.token)) {
      throw new KairosError(
        'CONFIG_INVALID',
        'service.token: the token has characters that no header can carry; copy it again (KAIROS_TOKEN)',
      );
    }
  }

  /** True when a refused token can be replaced by signing in. */
  get canSignIn(): boolean {
    return this.service.username !== null && this.service.password !== null;
  }

  /** A token to send; null when there is none and no way to get one. Rejects with a KairosError when signing in fails. */
  async current(): Promise<string | null> {
    if (this.token !== null && this.timers.wallMs() < this.expiresMs - RENEW_BEFORE_MS) return this.token;
    return this.canSignIn ? this.signIn() : this.token;
  }

  /** The service refused `token`: the next one is had by signing in, unless that has happened meanwhile. */
  refused(token: string): void {
    if (this.token === token) this.token = null;
  }

  /** Callers that need a token at the same time share one sign-in. */
  private signIn(): Promise<string> {
    this.signingIn ??= this.ask().finally(() => {
      this.signingIn = null;
    });
    return this.signingIn;
  }

  private async ask(): Promise<string> {
    const { username, password } = this.service;
    const answer = await this.calls.once({
      method: 'POST',
      path: this.path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
      what: 'the sign-in',
    });
    if (answer.status !== 200) {
      throw new KairosError('SERVICE_REFUSED', `the sign-in was answered with ${answer.status}; check service.username and password`);
    }
    const body = loginAnswer.safeParse(jsonIn(answer.text));
    if (body.success && body.data.challengeName != null) {
      const challenge = printable(body.data.challengeName, 40);
      throw new KairosError('SERVICE_REFUSED', `the sign-in asks for a second factor (${challenge}); give a token instead (KAIROS_TOKEN)`);
    }
    const token = answer.authorization?.replace(/^Bearer +/i, '') ?? '';
    if (!TOKEN.test(token))
      throw new KairosError('SERVICE_UNREADABLE', 'the sign-in was answered without a token in the Authorization header');
    this.token = token;
    this.expiresMs = body.success ? expiryMs(body.data.expirationTime ?? null, this.timers.wallMs()) : Number.POSITIVE_INFINITY;
    return token;
  }
}

/** Reads `expirationTime`: below 1e8 a lifetime in seconds, below 1e11 Unix seconds, else Unix milliseconds. */
export function expiryMs(expirationTime: number | null, nowMs: Millis): Millis {
  if (expirationTime === null) return Number.POSITIVE_INFINITY;
  if (expirationTime < 1e8) return nowMs + expirationTime * 1000;
  return expirationTime < 1e11 ? expirationTime * 1000 : expirationTime;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The token stands in a header; a body that is not JSON takes nothing from it.
    return null;
  }
}
