import { createHash, timingSafeEqual } from 'node:crypto';
import { type NamedToken, ROLES, type Role } from '#domain/ops-token.ts';
import type { Timers } from '#ports/timers.ts';

/** Why a request is refused. */
export interface RequestRefusal {
  readonly status: 400 | 401 | 403 | 409 | 429;
  readonly error: string;
}

/** Who has shown a token; `name` is null for the daemon's own token, whose holder says who it is. */
export type TokenHolder = Pick<NamedToken, 'role'> & { readonly name: string | null };

/** The checked headers. */
interface Headers {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
  /** The instance that the act is meant for (`HelloView.instance`). */
  readonly 'x-kairos-instance'?: string | string[] | undefined;
}

/** Headers that a request may have once: of two values a proxy might check one and a parser use the other. */
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
  'x-kairos-instance',
]);

/** Number of wrong tokens in a minute after which further ones are told to wait (F73). */
const GUESSES = 10;
const WINDOW_MS = 60_000;

/**
 * Decides which requests are allowed. A page of any site can reach a loopback port through a name that resolves to it,
 * so Host and Origin must be exactly ours. A change also needs the token, which no form can send (I35, B33).
 */
export class RequestGuard {
  private readonly hosts: ReadonlySet<string>;
  private readonly origins: ReadonlySet<string>;
  private readonly holders: readonly (TokenHolder & { readonly digest: Buffer })[];
  private readonly timers: Pick<Timers, 'monotonicMs'>;
  private readonly instance: string | undefined;
  private wrong: number[] = [];

  constructor(options: {
    readonly host: string;
    readonly port: number;
    readonly token: string;
    readonly tokens?: readonly NamedToken[];
    readonly timers: Pick<Timers, 'monotonicMs'>;
    readonly instance?: string | undefined;
  }) {
    const { host, port, token, tokens = [], timers } = options;
    const names = new Set([host.includes(':') ? `[${host}]` : host, '127.0.0.1', 'localhost', '[::1]']);
    this.hosts = new Set([...names].map((name) => `${name}:${port}`));
    this.origins = new Set([...this.hosts].map((name) => `http://${name}`));
    const all = [{ name: null, role: 'arm', token } as const, ...tokens];
    this.holders = all.map(({ name, role, token: secret }) => ({ name, role, digest: digestOf(`Bearer ${secret}`) }));
    this.timers = timers;
    this.instance = options.instance;
  }

  /** Checks every request; `lines`: its raw headers, name and value in turns. */
  refuse({ host, origin }: Headers, lines: readonly string[]): RequestRefusal | undefined {
    const repeated = repeatedIn(lines);
    if (repeated !== undefined) return { status: 400, error: `the header ${repeated} is repeated` };
    if (host === undefined || !this.hosts.has(host)) return { status: 403, error: 'the Host header names another server' };
    if (origin !== undefined && !this.origins.has(origin)) return { status: 403, error: 'requests from pages of other sites are refused' };
    return undefined;
  }

  /** Also checks requests that change something, which take `role`. A right token passes whatever the number of wrong ones before. */
  refuseChange(headers: Headers, role: Role = 'operate'): RequestRefusal | undefined {
    const meant = headers['x-kairos-instance'];
    if (meant !== undefined && meant !== this.instance)
      return { status: 409, error: 'this act is meant for another daemon: nothing was done' };
    const holder = this.holder(headers.authorization);
    if (!holder) return this.guessed();
    if (ROLES.indexOf(holder.role) >= ROLES.indexOf(role)) return undefined;
    return { status: 403, error: `the token of ${holder.name} is for ${holder.role} alone, and this takes ${role}` };
  }

  /** Who shows this token. All are compared, each in the same time. */
  holder(authorization: string | undefined): TokenHolder | undefined {
    const given = digestOf((authorization ?? '').replace(/^bearer +/i, 'Bearer '));
    return this.holders.filter(({ digest }) => timingSafeEqual(given, digest))[0];
  }

  private guessed(): RequestRefusal {
    const now = this.timers.monotonicMs();
    this.wrong = this.wrong.filter((at) => now - at < WINDOW_MS);
    if (this.wrong.length >= GUESSES) return { status: 429, error: 'too many wrong tokens; wait a minute' };
    this.wrong.push(now);
    return { status: 401, error: 'the header Authorization: Bearer TOKEN is missing or wrong; the token is in the file ops-token' };
  }
}

/** Of one length for all, so that they can be compared in the same time. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

function repeatedIn(lines: readonly string[]): string | undefined {
  const names = lines.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names.find((name, index) => ONCE.has(name) && names.indexOf(name) < index);
}
