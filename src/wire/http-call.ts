import { Agent, request } from 'undici';
import { KairosError, messageOf } from '../domain/errors.ts';
import type { Timers } from '../ports/timers.ts';
import { Backoff } from './backoff.ts';
import type { ServiceAddress } from './service-address.ts';

/** A call that is not an order: it may be asked again. */
export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What is being asked for, for error lines. */
  readonly what: string;
}

export interface Answer {
  readonly status: number;
  readonly authorization: string | null;
  readonly contentType: string;
  readonly text: string;
}

/** One try may take so long, and all tries of a call together. */
const TRY_MS = 5000;
const DEADLINE_MS = 15_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** HTTP to the service for everything but orders: HTTP/1.1, no redirects, bounded answers, every time-out stated. */
export class HttpCalls {
  private readonly address: ServiceAddress;
  private readonly timers: Timers;
  private readonly agent: Agent;

  constructor(address: ServiceAddress, timers: Timers) {
    this.address = address;
    this.timers = timers;
    this.agent = new Agent({
      allowH2: false,
      pipelining: 1,
      connections: 2,
      connect: { timeout: TRY_MS, rejectUnauthorized: true },
      headersTimeout: TRY_MS,
      bodyTimeout: TRY_MS,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 4000,
      maxResponseSize: MOST_BYTES,
    });
  }

  /**
   * Asks until there is an answer worth having or the deadline is near: a lost connection, 408, 425, 429 and 5xx are
   * tried again with back-off. Rejects with SERVICE_UNREACHABLE; any other status is the caller's to judge.
   */
  async repeat(call: Call): Promise<Answer> {
    const backoff = new Backoff({ timers: this.timers, leastMs: 250, mostMs: 4000, mostPerMinute: 20 });
    const endMs = this.timers.monotonicMs() + DEADLINE_MS;
    for (;;) {
      backoff.attempt();
      const leftMs = endMs - this.timers.monotonicMs();
      const outcome = await this.attempt(call, Math.min(TRY_MS, leftMs));
      const waitMs = backoff.afterFailure(false);
      const last = this.timers.monotonicMs() + waitMs >= endMs;
      if ('status' in outcome ? last || !isPassing(outcome.status) : last) return this.answerOf(call, outcome);
      await new Promise<void>((resolve) => this.timers.after(waitMs, resolve));
    }
  }

  /** Asks once. Rejects with SERVICE_UNREACHABLE. */
  async once(call: Call): Promise<Answer> {
    return this.answerOf(call, await this.attempt(call, TRY_MS));
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private answerOf(call: Call, outcome: Answer | { readonly failure: unknown }): Answer {
    if ('status' in outcome) return outcome;
    const { failure } = outcome;
    throw new KairosError(
      'SERVICE_UNREACHABLE',
      `${this.address.origin}: no answer to ${call.what}: ${causeOf(failure)}; is the service up, and service.baseUrl its address?`,
      {
        cause: failure,
      },
    );
  }

  private async attempt(call: Call, withinMs: number): Promise<Answer | { readonly failure: unknown }> {
    const limit = new AbortController();
    const cancel = this.timers.after(withinMs, () => limit.abort(new Error(`nothing within ${Math.round(withinMs)} ms`)));
    try {
      const { method, path, headers, body } = call;
      const answer = await request(`${this.address.origin}${path}`, {
        dispatcher: this.agent,
        method,
        headers: { accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
        signal: limit.signal,
      });
      const authorization = answer.headers.authorization;
      const contentType = answer.headers['content-type'];
      return {
        status: answer.statusCode,
        authorization: typeof authorization === 'string' ? authorization : null,
        contentType: typeof contentType === 'string' ? contentType : '',
        text: await answer.body.text(),
      };
    } catch (failure) {
      return { failure };
    } finally {
      cancel();
    }
  }
}

function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** undici gathers the failures of several addresses under one without a message. */
function causeOf(failure: unknown): string {
  if (failure instanceof AggregateError && failure.message === '') return failure.errors.map(messageOf).join(', ');
  return messageOf(failure);
}
