import type { Dial } from '#adapters/service-client/dial.ts';
import { printable } from '#adapters/service-client/quotes/decode-frame.ts';
import { isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { eachOnce, Spelling } from '#adapters/service-client/spelling.ts';
import { KairosError } from '#domain/errors.ts';
import type { Account, Product } from '#domain/product.ts';
import type { Timers } from '#ports/timers.ts';
import { BearerCalls } from './bearer-calls.ts';
import { type Call, type CallResult, HttpCalls, type HttpResponse } from './http-call.ts';
import { pagesOf } from './list-pages.ts';
import { OrchestratorClient } from './orchestrator.ts';
import { refusalText } from './refusal-text.ts';
import { type ServiceAddress, serviceAddress, servicePath } from './service-address.ts';
import { accountRecord, productRecord } from './service-records.ts';
import { type RefreshTokens, Session } from './session.ts';
import type { ServiceSettings } from './settings.ts';
import { SignedGets } from './signed-gets.ts';
import { StrategyRequests } from './strategy-requests.ts';

export interface ServiceClientOptions {
  /** The service's base address, or that of the embedded venue. */
  readonly baseUrl: string;
  readonly service: ServiceSettings;
  readonly timers: Timers;
  /** Begins connections; the machine's network unless given. */
  readonly dial?: Dial | undefined;
  /** Told of each record of a list that could not be read and was left out. */
  readonly onRefusedRecord?: (what: string, why: string) => void;
  /** Asks a person for the second factor; absent where nobody can answer. */
  readonly askDigits?: () => Promise<string>;
  /** Keeps the token that prolongs a session; absent: it is forgotten at the end. */
  readonly refreshTokens?: RefreshTokens;
}

const EXCHANGE_CODE = /^[A-Za-z0-9_-]{1,32}$/;

/** A schema of one record: zod's `safeParse`, and no more of it. */
interface RecordSchema<Item> {
  safeParse(value: unknown): { success: true; data: Item } | { success: false; error: { issues: readonly Issue[] } };
}
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * The service's calls besides quotes and orders: products, accounts, its own strategies and the sign-in (spec 4.1 to 4.3).
 * A list may come page by page, or be shown to the API key alone; redirects are followed within the service.
 */
export class ServiceClient {
  /** The service's own strategies, and the requests to them as they are sent. */
  readonly strategies: OrchestratorClient;
  readonly requests: StrategyRequests;
  readonly session: Session;
  /** How the service writes the products that the feed quotes. */
  readonly spelling = new Spelling();
  private readonly service: ServiceSettings;
  private readonly address: ServiceAddress;
  private readonly http: HttpCalls;
  private readonly calls: BearerCalls;
  /** The API key for lists; null where there is none, or it is not to be used. */
  private readonly signed: SignedGets | null;
  private usesKey: boolean;
  private readonly onRefusedRecord: (what: string, why: string) => void;

  /** Throws CONFIG_INVALID for an address, path, token or secret that cannot be used. */
  constructor(options: ServiceClientOptions) {
    const { service, timers, askDigits, refreshTokens } = options;
    this.service = service;
    this.address = serviceAddress(options.baseUrl);
    this.http = new HttpCalls(this.address, timers, options.dial);
    const path = this.path(service.paths.login);
    this.session = new Session({
      calls: this.http,
      timers,
      service,
      path,
      ...(refreshTokens && { refreshTokens }),
      ...(askDigits && { askDigits }),
    });
    this.calls = new BearerCalls(this.http, this.session);
    this.signed = service.listAuth === 'token' ? null : SignedGets.from(service, timers);
    this.usesKey = service.listAuth === 'key';
    this.requests = new StrategyRequests(this.address, service);
    this.strategies = new OrchestratorClient(this.calls, this.requests);
    this.onRefusedRecord = options.onRefusedRecord ?? (() => {});
  }

  /** Where requests go: `https://host:port`. */
  get origin(): string {
    return this.address.origin;
  }

  /**
   * The products of one exchange, or of all (spec 4.3). A record that cannot be read is left out and told of. Rejects
   * with SERVICE_UNREACHABLE, SERVICE_REFUSED or SERVICE_UNREADABLE; USAGE for an impossible exchange code.
   */
  async products(exchangeCode?: string): Promise<Product[]> {
    if (exchangeCode !== undefined && !EXCHANGE_CODE.test(exchangeCode)) {
      throw new KairosError('USAGE', `${printable(JSON.stringify(exchangeCode), 60)} is not an exchange code; use one such as VB`);
    }
    const query = exchangeCode === undefined ? '' : `?exchangeCode=${exchangeCode}`;
    const path = `${this.path(this.service.paths.products)}${query}`;
    const products = await this.list<Product>(path, { what: 'product', schema: productRecord, token: 'optional' });
    // Products of several exchanges may share a code.
    return exchangeCode === undefined ? products : eachOnce(products, this.onRefusedRecord);
  }

  /** The caller's exchange accounts, without their keys (spec 4.2). Needs a token. Rejects as `products` does. */
  async accounts(): Promise<Account[]> {
    const path = this.path(this.service.paths.accounts);
    return this.list<Account>(path, { what: 'account', schema: accountRecord, token: 'needed' });
  }

  /** Cuts open connections. Idempotent. */
  async close(): Promise<void> {
    await this.http.close();
  }

  private path(path: string): string {
    return servicePath(this.address, path, this.service.brand);
  }

  /** All pages of a list. */
  private async list<Item>(first: string, how: ListHow<Item>): Promise<Item[]> {
    const { what, schema } = how;
    const { origin } = this.address;
    const items: Item[] = [];
    for await (const records of pagesOf({ origin, path: first, what: `${what}s` }, (path) => this.ask(path, how))) {
      for (const record of records) {
        const item = schema.safeParse(record);
        if (item.success) items.push(item.data);
        else this.onRefusedRecord(nameOf(record, what), firstIssue(item.error.issues));
      }
    }
    return items;
  }

  private async ask(path: string, { what, token }: Pick<ListHow<unknown>, 'what' | 'token'>): Promise<HttpResponse> {
    const call = { method: 'GET', path, headers: {}, what: `the list of ${what}s` } as const;
    const { signed } = this;
    const { listAuth } = this.service;
    const tried = this.usesKey && signed ? null : await this.askedWithToken(call, token);
    let outcome = tried instanceof KairosError ? undefined : tried?.outcome;
    const wantsKey = outcome === undefined || ('status' in outcome && outcome.status === 401 && listAuth === 'auto');
    if (signed && wantsKey) {
      const byKey = (await this.http.tryUntilTaken({ ...call, sign: (at) => signed.headers(at) })).outcome;
      const isTaken = 'status' in byKey && byKey.status < 400;
      if (isTaken) this.usesKey = true;
      if (!isTaken && tried instanceof KairosError) throw tried;
      if (isTaken || outcome === undefined) outcome = byKey;
    }
    if (outcome === undefined || !('status' in outcome)) {
      const failure = outcome?.failure;
      throw new KairosError('SERVICE_UNREACHABLE', this.http.lostText(call, failure), { cause: failure });
    }
    const { status } = outcome;
    if (status >= 200 && status <= 299) return outcome;
    const key = signed ? 'the API key was tried as well' : 'or the API key (KAIROS_API_KEY, KAIROS_API_SECRET, KAIROS_USER_ID)';
    const mend = status === 401 ? `; give a valid token (KAIROS_TOKEN) or service.username and password; ${key}, see service.listAuth` : '';
    throw new KairosError(
      'SERVICE_REFUSED',
      `${this.address.origin} answered ${call.what} with ${status}${refusalText(outcome.text)}${mend}`,
    );
  }

  /** If no token can be obtained, the API key may be enough. */
  private async askedWithToken(call: Call, token: 'needed' | 'optional'): Promise<CallResult | KairosError> {
    try {
      return await this.calls.tryUntilTaken(call, token);
    } catch (error) {
      if (this.signed === null || this.service.listAuth !== 'auto' || this.session.canRenew || !(error instanceof KairosError)) throw error;
      return error;
    }
  }
}

/** What is listed, and whether a token is needed for it. */
interface ListHow<Item> {
  readonly what: string;
  readonly schema: RecordSchema<Item>;
  readonly token: 'needed' | 'optional';
}

function nameOf(record: unknown, what: string): string {
  const code = isFields(record) ? (record.productCode ?? record.id) : undefined;
  return typeof code === 'string' ? `${what} ${printable(code, 64)}` : what;
}

function firstIssue(issues: readonly Issue[]): string {
  const issue = issues[0];
  return issue === undefined ? 'cannot be read' : `${issue.path.map(String).join('.')}: ${issue.message}`;
}
