import { KairosError } from '../domain/errors.ts';
import type { Account, Product } from '../domain/product.ts';
import type { Timers } from '../ports/timers.ts';
import { BearerCalls } from './bearer-calls.ts';
import { printable } from './decode-frame.ts';
import { isFields } from './decode-quote.ts';
import { type Answer, HttpCalls } from './http-call.ts';
import { OrchestratorClient } from './orchestrator.ts';
import { refusalText } from './refusal-text.ts';
import { type ServiceAddress, serviceAddress, servicePath } from './service-address.ts';
import { accountRecord, productRecord } from './service-records.ts';
import { type RefreshTokens, Session } from './session.ts';
import type { ServiceSettings } from './settings.ts';
import { eachOnce, Spelling } from './spelling.ts';
import { StrategyRequests } from './strategy-requests.ts';

export interface ServiceClientOptions {
  /** The service's base address, or that of the embedded venue. */
  readonly baseUrl: string;
  readonly service: ServiceSettings;
  readonly timers: Timers;
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
 * Redirects are not followed.
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
  private readonly onRefusedRecord: (what: string, why: string) => void;

  /** Throws CONFIG_INVALID for an address, path, token or secret that cannot be used. */
  constructor(options: ServiceClientOptions) {
    const { service, timers, askDigits, refreshTokens } = options;
    this.service = service;
    this.address = serviceAddress(options.baseUrl);
    this.http = new HttpCalls(this.address, timers);
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
      throw new KairosError('USAGE', `${printable(JSON.stringify(exchangeCode), 60)} is no exchange code; use one like VB`);
    }
    const query = exchangeCode === undefined ? '' : `?exchangeCode=${exchangeCode}`;
    const answer = await this.ask(`${this.path(this.service.paths.products)}${query}`, 'the list of products', 'optional');
    const products = this.records<Product>(answer, 'product', productRecord);
    // Products of several exchanges may share a code.
    return exchangeCode === undefined ? products : eachOnce(products, this.onRefusedRecord);
  }

  /** The caller's exchange accounts, without their keys (spec 4.2). Needs a token. Rejects as `products` does. */
  async accounts(): Promise<Account[]> {
    const answer = await this.ask(this.path(this.service.paths.accounts), 'the list of accounts', 'needed');
    return this.records<Account>(answer, 'account', accountRecord);
  }

  /** Cuts open connections. Idempotent. */
  async close(): Promise<void> {
    await this.http.close();
  }

  private path(path: string): string {
    return servicePath(this.address, path, this.service.brand);
  }

  private async ask(path: string, what: string, token: 'needed' | 'optional'): Promise<Answer> {
    const call = { method: 'GET', path, headers: {}, what } as const;
    const { outcome } = await this.calls.tryUntilTaken(call, token);
    if (!('status' in outcome)) {
      throw new KairosError('SERVICE_UNREACHABLE', this.http.lostText(call, outcome.failure), { cause: outcome.failure });
    }
    const { status } = outcome;
    if (status >= 200 && status <= 299) return outcome;
    const mend = status === 401 ? '; give a valid token (KAIROS_TOKEN) or service.username and password' : '';
    throw new KairosError('SERVICE_REFUSED', `${this.address.origin} answered ${what} with ${status}${refusalText(outcome.text)}${mend}`);
  }

  private records<Item>(answer: Answer, what: string, schema: RecordSchema<Item>): Item[] {
    const list = parsed(answer.text);
    if (!Array.isArray(list)) {
      throw new KairosError(
        'SERVICE_UNREADABLE',
        `${this.address.origin} answered with ${kindOf(answer)} instead of a list of ${what}s; check service.baseUrl and service.paths`,
      );
    }
    const items: Item[] = [];
    for (const record of list) {
      const item = schema.safeParse(record);
      if (item.success) items.push(item.data);
      else this.onRefusedRecord(nameOf(record, what), firstIssue(item.error.issues));
    }
    return items;
  }
}

function kindOf({ complete, contentType, text }: Answer): string {
  if (!complete) return 'a body that broke off or is over 8 MiB';
  return /html/i.test(contentType) || /^\s*</.test(text) ? 'an HTML page' : 'something else';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what came instead of a list.
    return undefined;
  }
}

function nameOf(record: unknown, what: string): string {
  const code = isFields(record) ? (record.productCode ?? record.id) : undefined;
  return typeof code === 'string' ? `${what} ${printable(code, 64)}` : what;
}

function firstIssue(issues: readonly Issue[]): string {
  const issue = issues[0];
  return issue === undefined ? 'cannot be read' : `${issue.path.map(String).join('.')}: ${issue.message}`;
}
