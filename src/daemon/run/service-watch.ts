import type { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import type { Session, TokenState } from '#adapters/service-client/rest/session.ts';
import { productText } from '#assembly/assemble.ts';
import { needsToken, quotedProducts } from '#assembly/service.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Engine } from '#core/engine/engine.ts';
import { productChanges } from '#core/engine/product-changes.ts';
import { LOOK_MS } from '#core/engine/silences.ts';
import { durationText } from '#domain/duration-text.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import { isoTime } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import { backOffMs } from '#domain/retry.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { RunResources } from './opening.ts';
import { watchRates } from './rate-watch.ts';

const TOKEN_POLL_MS = 1000;
/** How long before its expiry a token is renewed, in milliseconds, or at half its life if that is shorter; and when a failed renewal is reported. */
const RENEW_BEFORE_MS = 15 * 60_000;
const ALARM_BEFORE_MS = 10 * 60_000;
const TOKEN_GONE_MS = 60_000;
/** How often the service's list of products is read again. */
const PRODUCTS_POLL_MS = 60_000;

/**
 * Polls what trading needs: the token, the products, rates, and the states of strategies, which the engine checks on an event
 * even if nothing else happens. Returns a function that ends it.
 */
export function watchService(
  config: Pick<LoadedConfig, 'mode' | 'settings'>,
  opened: Pick<RunResources, 'service' | 'products' | 'recovered'>,
  parts: Omit<TokenWatchOptions, 'session'> & Pick<ProductWatch, 'onProducts'> & { readonly engine: Pick<Engine, 'inspect'> },
): () => void {
  const stops = [
    watchRates({ ...config, ...parts, latest: (lane) => parts.engine.inspect(({ market }) => market.latest(lane)) }),
    keepToken(config, opened.service.client, parts),
    watchProducts(opened, { ...parts, latches: opened.recovered.latches }),
    parts.timers.every(LOOK_MS, () => parts.post({ kind: 'wake' })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Keeps a valid token for a daemon that may need one. Returns a function that ends it. */
function keepToken(
  config: Pick<LoadedConfig, 'mode' | 'settings'>,
  { session }: Pick<ServiceClient, 'session'>,
  parts: Omit<TokenWatchOptions, 'session'>,
): Cancel {
  return needsToken(config) ? watchToken({ ...parts, session }) : () => {};
}

interface TokenWatchOptions {
  readonly session: Pick<Session, 'state' | 'renew'>;
  readonly timers: Pick<Timers, 'every' | 'wallMs' | 'monotonicMs'>;
  readonly notice: Notice;
  readonly post: (event: InboxEvent) => void;
}

/**
 * Keeps a valid bearer token while the daemon runs (F18): renews it in time, warns ten minutes before it expires
 * unrenewed, and reports to the engine once there has been none for a minute. Broker orders need no token and go on.
 * Returns a function that ends it.
 */
export function watchToken(options: TokenWatchOptions): Cancel {
  const watch = new TokenWatch(options);
  watch.poll();
  return options.timers.every(TOKEN_POLL_MS, () => watch.poll());
}

class TokenWatch {
  private readonly options: TokenWatchOptions;
  private alarmed = false;
  private goneSinceMs: number | null = null;
  private told = false;
  private renewing = false;
  private retryAtMs = Number.NEGATIVE_INFINITY;
  private failures = 0;
  /** Why the last renewal failed. */
  private why = 'nobody can renew it: give another (KAIROS_TOKEN), or service.username and password';

  constructor(options: TokenWatchOptions) {
    this.options = options;
  }

  poll(): void {
    const { session, timers } = this.options;
    const { state } = session;
    const leftMs = state.good ? state.lapsesMs - timers.wallMs() : 0;
    if (state.canRenew && leftMs <= beforeLapse(state, RENEW_BEFORE_MS, 2)) this.renew();
    this.alarm(state, leftMs);
    this.gone(state);
  }

  private renew(): void {
    const { session, timers } = this.options;
    if (this.renewing || timers.monotonicMs() < this.retryAtMs) return;
    this.renewing = true;
    const over = (): void => {
      this.renewing = false;
    };
    session.renew().then(
      () => {
        over();
        this.failures = 0;
      },
      (error: unknown) => {
        over();
        if (!(error instanceof KairosError)) throw error;
        this.why = messageOf(error);
        this.retryAtMs = timers.monotonicMs() + backOffMs('token', this.failures);
        this.failures += 1;
      },
    );
  }

  private alarm(state: TokenState, leftMs: number): void {
    const isLate = state.good && leftMs <= beforeLapse(state, ALARM_BEFORE_MS, 4);
    if (isLate && !this.alarmed) {
      this.options.notice('error', `the bearer token expires at ${isoTime(state.lapsesMs)} and was not renewed: ${this.why}`);
    }
    this.alarmed = isLate;
  }

  private gone({ good }: TokenState): void {
    const { timers, notice, post } = this.options;
    if (good) {
      this.goneSinceMs = null;
      if (!this.told) return;
      this.told = false;
      post({ kind: 'condition', name: 'token', on: false, figure: 0 });
      return notice('info', 'there is a bearer token again');
    }
    this.goneSinceMs ??= timers.monotonicMs();
    const goneMs = timers.monotonicMs() - this.goneSinceMs;
    if (this.told || goneMs < TOKEN_GONE_MS) return;
    this.told = true;
    post({ kind: 'condition', name: 'token', on: true, figure: Math.round(goneMs) });
    notice(
      'error',
      `there has been no valid bearer token for ${durationText(goneMs)}, so the service's strategies cannot be asked: ${this.why}`,
    );
  }
}

/** A time before its expiry, or a share of its life if that is shorter. */
function beforeLapse({ lapsesMs, sinceMs }: TokenState, mostMs: number, share: number): number {
  return sinceMs === undefined ? mostMs : Math.min(mostMs, (lapsesMs - sinceMs) / share);
}

interface ProductWatch {
  readonly timers: Pick<Timers, 'every'>;
  readonly notice: Notice;
  readonly post: (event: InboxEvent) => void;
  /** As earlier runs left them. */
  readonly latches: readonly Latch[];
  /** Told each other list. */
  readonly onProducts?: (products: readonly Product[]) => void;
}

/**
 * Polls the service's list of products. Posts a changed list, and again at the next poll, which confirms the change or
 * not (F19); so it does with the first one where an earlier run left a strategy disabled by a change. Returns a function that ends it.
 */
export function watchProducts({ service, products }: Pick<RunResources, 'service' | 'products'>, watch: ProductWatch): () => void {
  const { timers, notice, post, latches, onProducts } = watch;
  let known = byCode(products);
  let wasOther = latches.some(({ reason }) => reason === 'PRODUCT_CHANGED');
  let reading = false;
  let ended = false;
  const poll = async (): Promise<void> => {
    if (reading) return;
    reading = true;
    try {
      const listed = await quotedProducts(service.client);
      if (listed.length === 0 && known.size > 0) {
        notice('warn', 'the service lists no products any more; the list that is known stands until it does');
        return;
      }
      const isOther = productChanges(known, listed).length > 0 || listed.some(({ code }) => !known.has(code));
      if (ended || !(isOther || wasOther)) return;
      wasOther = isOther;
      known = byCode(listed);
      onProducts?.(listed);
      post({ kind: 'products', products: listed.map(productText) });
    } catch (error) {
      // Trading goes on by the known list until the next poll.
      if (!ended) notice('warn', `the list of products could not be read again: ${messageOf(error)}`);
    } finally {
      reading = false;
    }
  };
  const stop = timers.every(PRODUCTS_POLL_MS, poll);
  return () => {
    ended = true;
    stop();
  };
}

const byCode = (products: readonly Product[]) => new Map(products.map((product) => [product.code, product]));
