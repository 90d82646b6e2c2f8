import { KairosError } from '../domain/errors.ts';
import type { Account, Product } from '../domain/product.ts';
import type { Orchestrator } from '../ports/orchestrator.ts';
import type { Timers } from '../ports/timers.ts';
import { printable } from './decode-frame.ts';
import { isFields } from './decode-quote.ts';
import { type Answer, type Call, HttpCalls } from './http-call.ts';
import { type ServiceAddress, serviceAddress, servicePath } from './service-address.ts';
import { accountRecord, productRecord } from './service-records.ts';
import { Session } from './session.ts';
import type { ServiceSettings } from './settings.ts';

export interface ServiceClientOptions {
  /** The service's base address, or that of the embedded venue. */
  readonly baseUrl: string;
  readonly service: ServiceSettings;
  readonly timers: Timers;
  /** Told of each record of a list that could not be read and was left out. */
  readonly onRefusedRecord?: (what: string, why: string) => void;
}

const EXCHANGE_CODE = /^[A-Za-z0-9_-]{1,32}$/;
const API_VERSION = /^[\x21-\x7e]{1,64}$/;

/** A schema of one record: zod's `safeParse`, and no more of it. */
interface RecordSchema<Item> {
  safeParse(value: unknown): { success: true; data: Item } | { success: false; error: { issues: readonly Issue[] } };
}
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * The service's calls besides quotes and orders: products, accounts, and the one action on its own strategies that
 * schedules drive (spec 4.1 to 4.3). Each may be repeated within its deadline; redirects are not followed.
 */
export class ServiceClient implements Orchestrator {
  private readonly service: ServiceSettings;
  private readonly address: ServiceAddress;
  private readonly calls: HttpCalls;
  private readonly session: Session;
  private readonly onRefusedRecord: (what: string, why: string) => void;

  /** Throws CONFIG_INVALID for an address, path or token that cannot be used. */
  constructor(options: ServiceClientOptions) {
    const { service, timers } = options;
    this.service = service;
    this.address = serviceAddress(options.baseUrl);
    this.calls = new HttpCalls(this.address, timers);
    this.session = new Session({ calls: this.calls, timers, service, path: this.path(service.paths.login) });
    this.onRefusedRecord = options.onRefusedRecord ?? (() => {});
    if (service.apiVersion !== null && !API_VERSION.test(service.apiVersion)) {
      throw new KairosError('CONFIG_INVALID', 'service.apiVersion: the version has characters that no header can carry');
    }
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
    const answer = await this.ask('GET', `${this.path(this.service.paths.products)}${query}`, 'the list of products');
    return this.records<Product>(answer, 'product', productRecord);
  }

  /** The caller's exchange accounts, without their keys (spec 4.2). Needs a token. Rejects as `products` does. */
  async accounts(): Promise<Account[]> {
    const answer = await this.ask('GET', this.path(this.service.paths.accounts), 'the list of accounts');
    return this.records<Account>(answer, 'account', accountRecord);
  }

  /** Asks for a pause of every strategy (spec 4.1); 202 means asked, not done. Rejects as `products` does. */
  async pauseAll(): Promise<{ readonly httpStatus: number; readonly response: string }> {
    const path = this.path(`${this.service.paths.strategies}/pauseAll`);
    const answer = await this.ask('PUT', path, 'the pause of all strategies');
    return { httpStatus: answer.status, response: answer.text.slice(0, 65_536) };
  }

  /** Cuts open connections. Idempotent. */
  async close(): Promise<void> {
    await this.calls.close();
  }

  private path(path: string): string {
    return servicePath(this.address, path, this.service.brand);
  }

  /** One call with the token there is; a first 401 renews a token that can be renewed. */
  private async ask(method: 'GET' | 'PUT', path: string, what: string): Promise<Answer> {
    const token = await this.session.current();
    const answer = await this.calls.repeat(this.call(method, path, what, token));
    if (answer.status !== 401 || !this.session.canSignIn) return this.checked(answer, what);
    if (token !== null) this.session.refused(token);
    const renewed = await this.session.current();
    return this.checked(await this.calls.repeat(this.call(method, path, what, renewed)), what);
  }

  private call(method: 'GET' | 'PUT', path: string, what: string, token: string | null): Call {
    const headers: Record<string, string> = {};
    if (token !== null) headers.authorization = `Bearer ${token}`;
    if (this.service.apiVersion !== null) headers['se-api-version'] = this.service.apiVersion;
    return { method, path, headers, what };
  }

  private checked(answer: Answer, what: string): Answer {
    const { status } = answer;
    if (status >= 200 && status <= 299) return answer;
    const mend = status === 401 ? '; give a valid token (KAIROS_TOKEN) or service.username and password' : '';
    throw new KairosError('SERVICE_REFUSED', `${this.address.origin} answered ${what} with ${status}${explanation(answer)}${mend}`);
  }

  private records<Item>(answer: Answer, what: string, schema: RecordSchema<Item>): Item[] {
    const list = parsed(answer.text);
    if (!Array.isArray(list)) {
      const got = /html/i.test(answer.contentType) || /^\s*</.test(answer.text) ? 'an HTML page' : 'something else';
      throw new KairosError(
        'SERVICE_UNREADABLE',
        `${this.address.origin} answered with ${got} instead of a list of ${what}s; check service.baseUrl and service.paths`,
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what came instead of a list.
    return undefined;
  }
}

/** What the service says is wrong, as one short line: its own error text where the body has one. */
function explanation(answer: Answer): string {
  const body = parsed(answer.text);
  if (!isFields(body)) return '';
  const said = [body.error, body.errorCode].find((text) => typeof text === 'string' && text !== '');
  return typeof said === 'string' ? ` (${printable(said, 200)})` : '';
}

function nameOf(record: unknown, what: string): string {
  const code = isFields(record) ? (record.productCode ?? record.id) : undefined;
  return typeof code === 'string' ? `${what} ${printable(code, 64)}` : what;
}

function firstIssue(issues: readonly Issue[]): string {
  const issue = issues[0];
  return issue === undefined ? 'cannot be read' : `${issue.path.map(String).join('.')}: ${issue.message}`;
}
