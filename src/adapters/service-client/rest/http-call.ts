import { Agent, type Dispatcher, request } from 'undici';
import type { Dial } from '#adapters/service-client/dial.ts';
import { retryAfterMs } from '#adapters/service-client/orders/retry-after.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { Backoff } from './backoff.ts';
import { connectTo } from './proxy.ts';
import { type ServiceAddress, USER_AGENT } from './service-address.ts';

/** A call that is not an order. */
export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers made anew for each try and each place it leads to: a signature is of one path and one moment. */
  readonly sign?: (path: string) => Readonly<Record<string, string>>;
  readonly body?: string;
  /** What is being asked for, for error lines. */
  readonly what: string;
}

/** An answer, whatever its status. */
export interface HttpResponse {
  readonly status: number;
  readonly authorization: string | null;
  readonly contentType: string;
  /** The header `Link`, which may name the next page of a list; null for none. */
  readonly link: string | null;
  /** Where a redirect leads; null for none. */
  readonly location: string | null;
  /** The header `Date`; null for none. */
  readonly date: string | null;
  readonly text: string;
  /** False where the body is incomplete: the status stands all the same. */
  readonly complete: boolean;
}

/** A call without an answer. */
export interface NoResponse {
  readonly failure: unknown;
  /** False where it is certain that no byte of the request left. */
  readonly mayHaveLeft: boolean;
}

/** The result of a call after all its tries. */
export interface CallResult {
  readonly outcome: HttpResponse | NoResponse;
  /** A try before the last one may have been taken without an answer. */
  readonly mayBeTaken: boolean;
}

/** How far a call goes on. */
export interface Patience {
  /** Once it is aborted no try begins. */
  readonly ended?: AbortSignal | undefined;
  /** Milliseconds in which the call is of use: a wait that the service asks for is waited where it ends within them. */
  readonly withinMs?: number | undefined;
}

/** How long one try may take, and all tries of a call together, in milliseconds. */
const TRY_MS = 5000;
const DEADLINE_MS = 15_000;
/** A longer body is no list that anybody would want on the loop of a trading daemon. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 3;

/** HTTP to the service for everything but orders: HTTP/1.1, redirects of GETs alone and within the service, bounded answers, every time-out stated. */
export class HttpCalls {
  readonly address: ServiceAddress;
  private readonly timers: Timers;
  private readonly dial: Dial | undefined;
  private readonly agent: Agent;
  /** Of requests that have a connection of their own. */
  private readonly apart = new Set<Agent>();
  private readonly closed = new AbortController();

  constructor(address: ServiceAddress, timers: Timers, dial?: Dial | undefined) {
    this.address = address;
    this.timers = timers;
    this.dial = dial;
    this.agent = agentOf(address, 2, dial);
  }

  /**
   * Asks until there is an answer worth having or the deadline is near: a lost connection, 408, 425, 429 and 5xx are
   * tried again with back-off, a certificate that is not trusted not. Rejects with SERVICE_UNREACHABLE; any other status is the caller's to judge.
   */
  async repeat(call: Call, patience: Patience = {}): Promise<HttpResponse> {
    const { outcome } = await this.tryUntilTaken(call, patience);
    return this.answerOf(call, outcome);
  }

  /** The same, for callers to whom a lost answer says something too. Only for what may be asked twice. */
  async tryUntilTaken(call: Call, { ended, withinMs = DEADLINE_MS }: Patience = {}): Promise<CallResult> {
    if (ended?.aborted) return { outcome: { failure: ended.reason, mayHaveLeft: false }, mayBeTaken: false };
    const backoff = new Backoff(this.timers, 'request');
    const startMs = this.timers.monotonicMs();
    let endMs = startMs + DEADLINE_MS;
    let mayBeTaken = false;
    for (;;) {
      backoff.attempt();
      const leftMs = endMs - this.timers.monotonicMs();
      const { outcome, waitMs: askedMs } = await this.attempt(call, this.agent, Math.min(TRY_MS, leftMs));
      const waitMs = Math.max(askedMs, backoff.afterFailure(false));
      endMs = Math.max(endMs, Math.min(endMs + askedMs, startMs + withinMs));
      const last = isUntrusted(outcome) || this.closed.signal.aborted || this.timers.monotonicMs() + waitMs >= endMs;
      if (last || ('status' in outcome && !isPassing(call, outcome))) return { outcome, mayBeTaken };
      mayBeTaken ||= 'status' in outcome ? isAmbiguous(outcome.status) : outcome.mayHaveLeft;
      await this.pause(waitMs, ended);
      if (ended?.aborted) return { outcome, mayBeTaken };
    }
  }

  /** Asks once and follows no redirect: for callers that want the answer itself. Rejects with SERVICE_UNREACHABLE. */
  async inspect(call: Call): Promise<HttpResponse> {
    try {
      return (await this.exchange(call, this.agent, AbortSignal.timeout(TRY_MS))).outcome;
    } catch (failure) {
      return this.answerOf(call, { failure, mayHaveLeft: true });
    }
  }

  /** Asks once. Rejects with SERVICE_UNREACHABLE. */
  async once(call: Call): Promise<HttpResponse> {
    const { outcome } = await this.attempt(call, this.agent, TRY_MS);
    return this.answerOf(call, outcome);
  }

  /**
   * Asks once, for what must never be asked twice, and on a connection of its own: an idle one may be closed by the service
   * in the very moment in which it is used, and nobody could say what became of the request.
   */
  async onceApart(call: Call): Promise<HttpResponse | NoResponse> {
    if (this.closed.signal.aborted) return { failure: new Error('it was closed before that was asked'), mayHaveLeft: false };
    const agent = agentOf(this.address, 1, this.dial);
    this.apart.add(agent);
    try {
      return (await this.attempt(call, agent, TRY_MS)).outcome;
    } finally {
      this.apart.delete(agent);
      await agent.destroy();
    }
  }

  /** Ends what is under way; nothing is tried again. */
  async close(): Promise<void> {
    this.closed.abort();
    await Promise.all([this.agent, ...this.apart].map((agent) => agent.destroy()));
  }

  /** Waits, or until this is closed or `ended` is aborted. */
  private pause(ms: number, ended?: AbortSignal): Promise<void> {
    const { signal } = this.closed;
    return pause(this.timers, ms, ended ? AbortSignal.any([signal, ended]) : signal);
  }

  /** Why there is no answer, as one line. */
  lostText(call: Call, failure: unknown): string {
    return `${this.address.origin}: no answer to ${call.what}: ${causeOf(failure)}; is the service up, and service.baseUrl its address?`;
  }

  private answerOf(call: Call, outcome: HttpResponse | NoResponse): HttpResponse {
    if ('status' in outcome) return outcome;
    const { failure } = outcome;
    throw new KairosError('SERVICE_UNREACHABLE', this.lostText(call, failure), { cause: failure });
  }

  private async attempt(call: Call, dispatcher: Agent, withinMs: number): Promise<{ outcome: HttpResponse | NoResponse; waitMs: number }> {
    const limit = new AbortController();
    const cancel = this.timers.after(withinMs, () => limit.abort(new Error(`nothing within ${Math.round(withinMs)} ms`)));
    try {
      const came = await this.exchange(call, dispatcher, limit.signal);
      for (let left = MAX_REDIRECTS; left > 0 && isFollowed(call, came.outcome); left -= 1) {
        const path = pathWithin(this.address.origin, call.path, came.outcome.location);
        if (path === null) break;
        Object.assign(came, await this.exchange({ ...call, path }, dispatcher, limit.signal));
      }
      return came;
    } catch (failure) {
      return { outcome: { failure, mayHaveLeft: !isBeforeConnect(failure) }, waitMs: 0 };
    } finally {
      cancel();
    }
  }

  private async exchange(call: Call, dispatcher: Agent, signal: AbortSignal): Promise<{ outcome: HttpResponse; waitMs: number }> {
    const { method, path, headers, sign, body } = call;
    const answer = await request(`${this.address.origin}${path}`, {
      dispatcher,
      method,
      headers: { accept: 'application/json', 'user-agent': USER_AGENT, ...headers, ...sign?.(path) },
      ...(body === undefined ? {} : { body }),
      signal,
    });
    const retryAfter = headerOf(answer, 'retry-after');
    const waitMs = retryAfter === null ? 0 : retryAfterMs(retryAfter, { date: headerOf(answer, 'date'), nowMs: this.timers.wallMs() });
    return { outcome: await answerIn(answer), waitMs };
  }
}

/** A GET says nothing and changes nothing: it may be asked at another place of the same service. */
function isFollowed({ method }: Call, { status }: HttpResponse): boolean {
  return method === 'GET' && (status === 301 || status === 302 || status === 303 || status === 307 || status === 308);
}

/** The path to which an address leads within the service; null where it leads elsewhere. */
export function pathWithin(origin: string, path: string, to: string | null): string | null {
  if (to === null || !URL.canParse(to, `${origin}${path}`)) return null;
  const url = new URL(to, `${origin}${path}`);
  return url.origin === origin ? `${url.pathname}${url.search}` : null;
}

function agentOf(address: ServiceAddress, connections: number, dial: Dial | undefined): Agent {
  return new Agent({
    allowH2: false,
    pipelining: 1,
    connections,
    connect: connectTo(address, TRY_MS, dial),
    headersTimeout: TRY_MS,
    bodyTimeout: TRY_MS,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 4000,
    maxResponseSize: MAX_BYTES,
  });
}

async function answerIn(answer: Dispatcher.ResponseData): Promise<HttpResponse> {
  const head = {
    status: answer.statusCode,
    authorization: headerOf(answer, 'authorization'),
    contentType: headerOf(answer, 'content-type') ?? '',
    link: headerOf(answer, 'link'),
    location: headerOf(answer, 'location'),
    date: headerOf(answer, 'date'),
  };
  try {
    return { ...head, text: await answer.body.text(), complete: true };
  } catch {
    // The status has come and says what was done; what the body would have said is the caller's to do without.
    return { ...head, text: '', complete: false };
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function isPassing({ method }: Call, { status, complete }: HttpResponse): boolean {
  return isBadMoment(status) || (method === 'GET' && !complete);
}

/** Statuses that say nothing of what was asked: the same may be answered otherwise a moment later. */
export const isBadMoment = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500;

/** Statuses that do not say whether the request was carried out. */
export function isAmbiguous(status: number): boolean {
  return status < 200 || (status >= 300 && status <= 399) || status === 408 || status === 409 || status === 425 || status >= 500;
}

/** No certificate is better a second later. */
const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|HOSTNAME_MISMATCH)/;
const UNREACHED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|ERR_PROXY_TUNNEL|ERR_VENUE_UNPROVEN)/;

function hasCode(failure: unknown, ...codes: readonly RegExp[]): boolean {
  if (failure instanceof AggregateError) return failure.errors.every((one) => hasCode(one, ...codes));
  const { code }: { readonly code?: unknown } = Object(failure);
  return typeof code === 'string' && codes.some((one) => one.test(code));
}

const isBeforeConnect = (failure: unknown): boolean => hasCode(failure, CERTIFICATE, UNREACHED);
const isUntrusted = (outcome: HttpResponse | NoResponse): boolean => 'failure' in outcome && hasCode(outcome.failure, CERTIFICATE);

/** undici gathers the failures of several addresses under one without a message. */
function causeOf(failure: unknown): string {
  if (failure instanceof AggregateError && failure.message === '') return failure.errors.map(messageOf).join(', ');
  return messageOf(failure);
}
