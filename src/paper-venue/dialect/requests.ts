import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import { authenticationFault, headerOf, rawBodyOf, userFault } from '#paper-venue/http/broker-authentication.ts';
import type { VenueContext } from '#paper-venue/http/context.ts';
import { STRATEGIES_PATH } from '#paper-venue/http/orchestrator.ts';
import { refusal, sendRefusal } from '#paper-venue/http/refusal.ts';
import { errorIn } from './answers.ts';
import { currencyIn, productIn } from './codes.ts';

const PRODUCTS_PATH = '/mms/v2/productDetails';
const ACCOUNTS_PATH = '/as/v3/accounts';
/** Path prefix to which GETs are redirected. */
const ELSEWHERE = '/elsewhere';
const EMPTY_FOR_MS = 1000;
const PAGE_SIZE = 2;
/** The product whose limit is null in that dialect; it is not traded. */
const WITHOUT_LIMIT = 'ethsek';

type Fields = Readonly<Record<string, unknown>>;

/** The path of the feed below the brand's prefix, and that of orders below its `/api`. */
export function pathsIn(dialect: Dialect | undefined): VenueContext['paths'] {
  return dialect?.paths === 'paths-of-old' ? { quotes: '/quotes', orders: '/trades' } : { quotes: '/public/quotes', orders: '/orders' };
}

/** A path without the redirect's prefix. */
function pathHere(url: string): string {
  return url.startsWith(`${ELSEWHERE}/`) ? url.slice(ELSEWHERE.length) : url;
}

/** Numeric ids of strategies, for dialects that have them. */
export class NumberIds {
  private readonly ids = new Map<string, string>();

  numberOf(id: string): number {
    const number = Number.parseInt(id.slice(0, 8), 16);
    this.ids.set(String(number), id);
    return number;
  }

  /** A path with a strategy's number replaced by its own id. */
  pathHere(url: string): string {
    return pathHere(url).replace(/^(\/strategy-orchestrator\/strategies\/)(\d+)(?=\/)/, (all, before: string, number: string) => {
      const id = this.ids.get(number);
      return id === undefined ? all : `${before}${id}`;
    });
  }
}

interface RequestDialect {
  readonly dialect: Dialect;
  readonly ids: NumberIds;
}

/** Adds the dialect's handling of requests and of answers other than those to orders. Not called without a dialect. */
export function addRequestDialect(app: FastifyInstance, context: VenueContext, { dialect, ids }: RequestDialect): void {
  const { timers } = context;
  const startedMs = timers.monotonicMs();
  app.addHook('onRequest', async (request, reply) => {
    if (dialect.dates === 'undated-answers') reply.raw.sendDate = false;
    const path = pathOf(request);
    const fault = faultOf(dialect, request, { path, atMs: timers.wallMs() });
    if (fault) return sendRefusal(request, reply, { ...fault, atMs: timers.wallMs() });
    const isListing = path === PRODUCTS_PATH || path === ACCOUNTS_PATH;
    if (dialect.redirects === 'redirected-gets' && isListing && request.method === 'GET' && !request.originalUrl.startsWith(ELSEWHERE)) {
      return reply.redirect(`${ELSEWHERE}${request.originalUrl}`, 307);
    }
    return undefined;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload === '') return payload;
    if (reply.statusCode >= 400 && String(reply.getHeader('content-type')).startsWith('application/json')) {
      const { type, body } = errorIn(dialect, payload);
      reply.type(type);
      return body;
    }
    const path = pathOf(request);
    if (path === `${STRATEGIES_PATH}/action/create` && reply.statusCode === 201 && dialect.find === 'find-number-ids') {
      const created: Fields = JSON.parse(payload);
      return JSON.stringify({ ...created, strategyId: ids.numberOf(String(created.strategyId)) });
    }
    if (reply.statusCode !== 200) return payload;
    if (path === PRODUCTS_PATH) {
      const list: readonly Fields[] = JSON.parse(payload);
      const isEarly = timers.monotonicMs() - startedMs < EMPTY_FOR_MS;
      const { body, next } = productsIn(dialect, isEarly ? [] : list, { list, url: request.originalUrl });
      if (next !== undefined) reply.header('link', `<${next}>; rel="next"`);
      return JSON.stringify(body);
    }
    if (path === ACCOUNTS_PATH) return JSON.stringify(accountsIn(dialect, JSON.parse(payload)));
    if (path === `${STRATEGIES_PATH}/find`) return JSON.stringify(foundIn(dialect, JSON.parse(payload), ids));
    return payload;
  });
}

function faultOf(dialect: Dialect, request: FastifyRequest, { path, atMs }: { readonly path: string; readonly atMs: number }) {
  if (path.startsWith('/venue/')) return undefined;
  if (dialect.agent === 'agent-needed' && !request.headers['user-agent']) {
    return refusal(403, 'FORBIDDEN', 'a request says who sends it: User-Agent is missing');
  }
  if (dialect.productList !== 'products-by-key' || path !== PRODUCTS_PATH) return undefined;
  const { headers, method, originalUrl: rawPath } = request;
  const signed = { method, rawPath, headers, body: rawBodyOf(request.body) };
  return authenticationFault(signed, atMs) ?? userFault(headerOf(headers, 'x-api-user-id'));
}

function productsIn(
  dialect: Dialect,
  early: readonly Fields[],
  { list, url }: { readonly list: readonly Fields[]; readonly url: string },
): { readonly body: unknown; readonly next?: string } {
  const written = (records: readonly Fields[]) => records.map((record) => productRecordIn(dialect, record));
  switch (dialect.productList) {
    case 'product-list':
    case 'products-by-key':
      return { body: written(list) };
    case 'product-list-in-data':
      return { body: { data: written(list) } };
    case 'products-empty-at-first':
      return { body: written(early) };
    case 'product-null-limit':
      return { body: written(list).map((record) => (isNamed(record, WITHOUT_LIMIT) ? { ...record, priceIncrement: null } : record)) };
    case 'product-pages': {
      const [path = '', query = ''] = url.split('?');
      const params = new URLSearchParams(query);
      const page = Math.max(1, Number(params.get('page') ?? 1));
      const content = written(list).slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      if (page * PAGE_SIZE >= list.length) return { body: { content, page } };
      params.set('page', String(page + 1));
      const next = `${path}?${params}`;
      return { body: { content, page, next }, next };
    }
  }
}

const LIMITS = ['minSize', 'minNotionalValue', 'sizeIncrement', 'priceIncrement'] as const;

function productRecordIn(dialect: Dialect, record: Fields): Fields {
  const { baseCcy, quoteCcy, productCode } = record;
  const limit = (value: unknown) => (dialect.limits === 'text-limits' ? String(value) : value);
  return {
    ...record,
    productCode: productIn(dialect, String(productCode)),
    ...(typeof baseCcy === 'string' && { baseCcy: currencyIn(dialect, baseCcy) }),
    ...(typeof quoteCcy === 'string' && { quoteCcy: currencyIn(dialect, quoteCcy) }),
    ...Object.fromEntries(LIMITS.map((name) => [name, limit(record[name])])),
  };
}

function isNamed({ productCode }: Fields, code: string): boolean {
  return String(productCode).toLowerCase() === code;
}

function accountsIn({ accounts }: Dialect, list: readonly Fields[]): readonly Fields[] {
  return accounts === 'account-text-ids' ? list : list.map((account) => ({ ...account, id: Number(account.id) }));
}

function foundIn(dialect: Dialect, records: readonly (Fields & { readonly state: Fields })[], ids: NumberIds): readonly Fields[] {
  const list: readonly Fields[] = records.map((record) => {
    const { state } = record;
    return { ...record, state: { ...state, productCode: productIn(dialect, String(state.productCode)) } };
  });
  switch (dialect.find) {
    case 'find-as-noted':
      return list;
    case 'find-number-ids':
      return list.map((found) => ({ ...found, strategyId: ids.numberOf(String(found.strategyId)) }));
    case 'find-text-states':
      return list.map(({ state, ...found }) => ({ ...found, state: JSON.stringify(state) }));
    case 'find-by-creator':
      return list.map(() => ({ createdByUserId: 1205 }));
  }
}

function pathOf(request: FastifyRequest): string {
  return pathHere(request.originalUrl).split('?')[0] ?? '';
}
