import type { KeyObject } from 'node:crypto';
import type { Dial } from '#adapters/service-client/dial.ts';
import { printable } from '#adapters/service-client/quotes/decode-frame.ts';
import { isCode, isFields, isUuid } from '#adapters/service-client/quotes/decode-quote.ts';
import { HttpCalls, type HttpResponse } from '#adapters/service-client/rest/http-call.ts';
import { type ServiceAddress, serviceAddress, servicePath } from '#adapters/service-client/rest/service-address.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { jsonIn } from '#domain/json-in.ts';
import type { FiguresText } from '#domain/order.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { signOfWord } from './answer-evidence.ts';
import { canonicalRequest } from './canonical.ts';
import { type AnsweredOrder, classifyAnswer } from './outcomes.ts';
import { sign, signingKey } from './signature.ts';

/** What the service knows of an order: executed at these figures, or of no order on that quote. */
export type OrderFinding =
  | { readonly kind: 'executed'; readonly figures: Partial<FiguresText>; readonly body: string }
  | { readonly kind: 'none'; readonly body: string };

interface BrokerQueryOptions {
  readonly baseUrl: string;
  readonly service: ServiceSettings;
  readonly timers: Timers;
  /** Begins connections; the machine's network unless given. */
  readonly dial?: Dial | undefined;
  /** Stamps signatures; this machine's wall clock unless given. */
  readonly serviceClock?: ServiceClock;
}

const AMOUNT = /^-?\d{1,30}(\.\d{1,30})?$/;
const MAX_BODY_CHARS = 65_536;

/**
 * What a service may be asked beyond the specification, where `service.capabilities` names it: an order by its quote, and the
 * balances. Signed like an order (spec 5.1), each asked once; both are the notes' own choice, so answers are read with doubt.
 */
export class BrokerQuery {
  private readonly options: BrokerQueryOptions;
  private readonly address: ServiceAddress;
  private readonly calls: HttpCalls;
  private readonly key: KeyObject;
  private readonly apiKey: string;
  private readonly userId: string;

  /** Throws CONFIG_INVALID for credentials, an address or a path that cannot be used. */
  constructor(options: BrokerQueryOptions) {
    const { service, timers } = options;
    this.options = options;
    this.address = serviceAddress(options.baseUrl);
    this.calls = new HttpCalls(this.address, timers, options.dial);
    this.key = signingKey(needed(service.apiSecret, 'service.apiSecret', 'KAIROS_API_SECRET'));
    this.apiKey = needed(service.apiKey, 'service.apiKey', 'KAIROS_API_KEY');
    this.userId = needed(service.userId, 'service.userId', 'KAIROS_USER_ID');
  }

  /**
   * What became of the order that named a quote. Figures are held against those of `asked`; without it none are told. Rejects with SERVICE_UNREACHABLE, SERVICE_REFUSED, or SERVICE_UNREADABLE for an answer that
   * leaves any doubt.
   */
  async order(quoteId: string, asked: AnsweredOrder | null = null): Promise<OrderFinding> {
    if (!isUuid(quoteId)) throw new KairosError('SERVICE_UNREADABLE', `quote ${printable(quoteId, 60)} has an id that cannot be queried`);
    const what = `the outcome of the order on quote ${quoteId}`;
    const answer = await this.ask(`${this.path('orders')}?quoteId=${quoteId}`, what);
    const body = answer.text.slice(0, MAX_BODY_CHARS);
    const list = jsonIn(answer.text);
    if (!Array.isArray(list)) throw this.unreadable(what, 'no list of orders');
    if (list.length === 0) return { kind: 'none', body };
    const [order] = list;
    if (list.length > 1 || !isFields(order)) throw this.unreadable(what, 'more or fewer than one order');
    if (typeof order.quoteId !== 'string' || order.quoteId.toLowerCase() !== quoteId.toLowerCase()) {
      throw this.unreadable(what, 'an order on another quote');
    }
    // Unlike the answer to an order, a list of orders also has those that came to nothing: only a word for executed counts.
    if (typeof order.status !== 'string') throw this.unreadable(what, 'an order without status');
    if (!this.isFilled(order.status)) throw this.unreadable(what, `status ${printable(order.status, 40)}`);
    if (asked === null) return { kind: 'executed', figures: {}, body };
    const told = { status: 200, body: JSON.stringify(order), complete: true, retryAfter: null };
    const read = classifyAnswer(told, { ...this.options.service, outcomes: {} }, asked);
    if (read.outcome !== 'accepted') throw this.unreadable(what, read.why.replace(/^the service answered 200(?:, and| with)? ?/, ''));
    return { kind: 'executed', figures: read.figures, body };
  }

  /** Balances by currency, decimal text. Rejects as `order` does. */
  async balances(): Promise<ReadonlyMap<string, string>> {
    const what = 'the balances';
    const answer = await this.ask(this.path('balances'), what);
    const fields = jsonIn(answer.text);
    if (!isFields(fields)) throw this.unreadable(what, 'no balances by currency');
    const read = new Map<string, string>();
    for (const [currency, amount] of Object.entries(fields)) {
      const text = typeof amount === 'number' ? String(amount) : amount;
      if (!isCode(currency) || typeof text !== 'string' || !AMOUNT.test(text)) throw this.unreadable(what, 'a balance that is no decimal');
      if (read.has(currency.toLowerCase())) throw this.unreadable(what, 'a currency twice');
      read.set(currency.toLowerCase(), text);
    }
    return read;
  }

  /** Cuts what is being asked. Idempotent. */
  async close(): Promise<void> {
    await this.calls.close();
  }

  private isFilled(status: string): boolean {
    const sign = signOfWord(status, this.options.service);
    return sign === 'done' || sign === 'begun' || sign === 'partial';
  }

  private path(name: 'orders' | 'balances'): string {
    const { paths, brand } = this.options.service;
    return servicePath(this.address, paths[name], brand);
  }

  private async ask(path: string, what: string): Promise<HttpResponse> {
    const { timers, serviceClock } = this.options;
    const timestampMs = Math.floor(serviceClock?.now()?.ms ?? timers.wallMs());
    const { userId } = this;
    const signature = sign(this.key, canonicalRequest({ timestampMs, method: 'GET', path, userId, body: '' }));
    const headers = {
      'X-API-Key': this.apiKey,
      'X-API-Timestamp': String(timestampMs),
      'X-API-Signature': signature,
      'X-API-User-ID': userId,
    };
    const answer = await this.calls.once({ method: 'GET', path, headers, what });
    if (answer.status === 200) return answer;
    throw new QueryRefused(`${this.address.origin} answered the question for ${what}`, answer.status);
  }

  private unreadable(what: string, came: string): KairosError {
    return new KairosError('SERVICE_UNREADABLE', `${this.address.origin} answered the question for ${what} with ${came}`);
  }
}

/** A query of orders or balances that the service did not answer with 200. */
export class QueryRefused extends KairosError {
  /** True where the service refuses key, secret, user or time. */
  readonly isKeyRefused: boolean;

  constructor(what: string, status: number) {
    const isKeyRefused = status === 401 || status === 403;
    const meaning = isKeyRefused
      ? ': it refuses key, secret, user or time'
      : status === 404
        ? '; if the service does not offer this, take it out of service.capabilities'
        : '';
    super('SERVICE_REFUSED', `${what} with ${status}${meaning}`);
    this.isKeyRefused = isKeyRefused;
  }
}

function needed(value: string | null, key: string, variable: string): string {
  if (value !== null && value !== '') return value;
  throw new KairosError('CONFIG_INVALID', `${key}: queries of orders and balances need it; set ${variable}`);
}
