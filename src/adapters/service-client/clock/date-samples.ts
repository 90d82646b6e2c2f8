import { Client, type Dispatcher } from 'undici';
import type { Dial } from '#adapters/service-client/dial.ts';
import { Backoff } from '#adapters/service-client/rest/backoff.ts';
import { connectTo } from '#adapters/service-client/rest/proxy.ts';
import { serviceAddress, servicePath, USER_AGENT } from '#adapters/service-client/rest/service-address.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { messageOf } from '#domain/errors.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { httpDateMs } from './http-date.ts';

/** Where a sample is aimed: at the middle of what is known, or at its lower or upper end. */
type Aim = -1 | 0 | 1;

/** Samples of a burst, each of which halves what is known. */
const BURST: readonly Aim[] = Array.from({ length: 10 }, () => 0);
/** Those of each minute: the ends show a truth beyond them, as after a rate has changed, which no halving would find. */
const LATER: readonly Aim[] = [-1, 1, 0];
/** Between bursts: how long until the next sample, and how long while that would leave the bound too wide. */
const APART_MS = 60_000;
const APART_WIDE_MS = 10_000;
const WIDE_MS = 250;
/** A slower answer says too little (F58). */
const MAX_ROUND_TRIP_MS = 2000;
const TRY_MS = 5000;
const MAX_BYTES = 16 * 1024 * 1024;

/** One answer's date, in Unix milliseconds, with the monotonic times at which its request left and its head came. */
export interface DateAnswer {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly dateMs: number;
}

export interface DateSamplerOptions {
  readonly baseUrl: string;
  readonly service: Pick<ServiceSettings, 'brand' | 'paths'>;
  readonly timers: Timers;
  /** Begins connections; the machine's network unless given. */
  readonly dial?: Dial | undefined;
  /** What is known of the service's time less monotonic time; undefined before the first sample. */
  readonly guess: (atMs: number) => { readonly offsetMs: number; readonly halfWidthMs: number } | undefined;
  readonly sample: (answer: DateAnswer) => void;
  /** Told why an answer, or the lack of one, is no sample. */
  readonly refused: (why: string) => void;
}

/**
 * Asks the service for its time: cheap GETs whose `Date` counts, whatever their status. A request is sent so that it
 * should arrive at the edge of a second as it is known so far: whichever second comes back, about half of the doubt is gone.
 * Ten such samples at the start and after `burst`; then three a minute, two of them aimed at the ends of what is known, or some more
 * until the rate at which the clocks part is known so well that those will do.
 */
export class DateSampler {
  private readonly options: DateSamplerOptions;
  private readonly timers: Timers;
  private readonly client: Client;
  private readonly path: string;
  private readonly backoff: Backoff;
  private aims = BURST;
  private shortestMs = Number.POSITIVE_INFINITY;
  private asking = false;
  private cancelTimer: Cancel | null = null;
  private closed = false;

  /** Throws CONFIG_INVALID for an address or a path that cannot be used. */
  constructor(options: DateSamplerOptions) {
    const { baseUrl, service, timers, dial } = options;
    const address = serviceAddress(baseUrl);
    this.options = options;
    this.timers = timers;
    this.path = servicePath(address, service.paths.products, service.brand);
    this.backoff = new Backoff(timers, 'serviceTime');
    this.client = new Client(address.origin, {
      allowH2: false,
      pipelining: 1,
      connect: connectTo(address, TRY_MS, dial),
      headersTimeout: TRY_MS,
      bodyTimeout: TRY_MS,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 4000,
      maxResponseSize: MAX_BYTES,
    });
  }

  /** Asks at once, and ten times as soon as it makes sense; then once a minute. Also after what was known has become void. */
  burst(): void {
    this.aims = BURST;
    this.cancelTimer?.();
    this.cancelTimer = null;
    if (!this.asking) this.next();
  }

  /** Cuts a request under way; nothing is told afterwards. Idempotent. */
  async close(): Promise<void> {
    this.closed = true;
    this.cancelTimer?.();
    this.cancelTimer = null;
    await this.client.destroy();
  }

  private next(): void {
    if (this.aims.length > 0) return this.aim();
    const then = this.options.guess(this.timers.monotonicMs() + APART_MS)?.halfWidthMs ?? Number.POSITIVE_INFINITY;
    this.wait(then <= WIDE_MS ? APART_MS : APART_WIDE_MS, () => {
      this.aims = LATER;
      this.aim();
    });
  }

  /** Waits for the moment from which a request should arrive as a second of the service begins; before anything is known it asks at once. */
  private aim(): void {
    const now = this.timers.monotonicMs();
    const known = this.options.guess(now);
    if (known === undefined) return this.ask();
    const arrival = now + known.offsetMs + (this.aims[0] ?? 0) * known.halfWidthMs + this.shortestMs / 2;
    this.wait(1000 - (arrival % 1000), () => this.ask());
  }

  private wait(ms: number, then: () => void): void {
    if (this.closed) return;
    this.cancelTimer = this.timers.after(ms, () => {
      this.cancelTimer = null;
      then();
    });
  }

  private ask(): void {
    if (this.closed) return;
    this.asking = true;
    this.backoff.attempt();
    const exchange = new DateExchange(this.timers, {
      dated: (answer) => this.dated(answer),
      refused: (why) => this.refused(why),
      over: () => this.over(),
    });
    askForDate(this.client, this.path, exchange);
  }

  private dated(answer: DateAnswer): void {
    if (this.closed) return;
    this.shortestMs = Math.min(this.shortestMs, answer.receivedMs - answer.sentMs);
    this.aims = this.aims.slice(1);
    this.backoff.reset();
    this.options.sample(answer);
  }

  private refused(why: string): void {
    if (this.closed) return;
    this.options.refused(why);
    this.wait(this.backoff.afterFailure(false), () => this.next());
  }

  private over(): void {
    this.asking = false;
    if (!this.closed && this.cancelTimer === null) this.next();
  }
}

interface Listener {
  dated(answer: DateAnswer): void;
  refused(why: string): void;
  over(): void;
}

/** Sends one request, which no cache may answer: that would tell an old time. */
export function askForDate(client: Client, path: string, exchange: DateExchange): void {
  client.dispatch(
    { method: 'GET', path, headers: { accept: 'application/json', 'user-agent': USER_AGENT, 'cache-control': 'no-cache' } },
    exchange,
  );
}

/** One request: timed from the write of its bytes to the head of its answer, whose body is let go by. */
export class DateExchange implements Dispatcher.DispatchHandler {
  private readonly timers: Timers;
  private readonly listener: Listener;
  private sentMs = 0;
  private heard = false;

  constructor(timers: Timers, listener: Listener) {
    this.timers = timers;
    this.listener = listener;
  }

  onRequestStart(): void {
    this.sentMs = this.timers.monotonicMs();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const receivedMs = this.timers.monotonicMs();
    this.heard = true;
    const read = dateOf(status, headers, receivedMs - this.sentMs);
    if (typeof read === 'string') this.listener.refused(read);
    else this.listener.dated({ sentMs: this.sentMs, receivedMs, dateMs: read });
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.listener.over();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.heard) this.listener.refused(`no answer: ${messageOf(error)}`);
    this.listener.over();
  }
}

/** The date of an answer, or why it says nothing of the service's clock (F58). */
function dateOf(status: number, headers: Record<string, string | string[] | undefined>, roundTripMs: number): number | string {
  const { date, age } = headers;
  if (age !== undefined) return 'the answer came from a cache (it has an Age)';
  if (status >= 500) return `the service answered ${status}`;
  if (roundTripMs > MAX_ROUND_TRIP_MS) return `the answer took ${Math.round(roundTripMs)} ms`;
  const dateMs = typeof date === 'string' ? httpDateMs(date) : Number.NaN;
  return Number.isNaN(dateMs) ? 'the answer has no readable Date header' : dateMs;
}
