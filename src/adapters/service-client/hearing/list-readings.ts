import { httpDateMs } from '#adapters/service-client/clock/http-date.ts';
import { type Fields, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { HttpCalls, type HttpResponse } from '#adapters/service-client/rest/http-call.ts';
import { listPage } from '#adapters/service-client/rest/list-pages.ts';
import { serviceAddress, servicePath } from '#adapters/service-client/rest/service-address.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { SignedGets } from '#adapters/service-client/rest/signed-gets.ts';
import type { Timers } from '#ports/timers.ts';
import { heard, type ObservedReading } from './heard.ts';

/** Pause before an empty list is read again, in milliseconds. */
const AGAIN_MS = 1500;
const LIMITS = ['minSize', 'minNotionalValue', 'sizeIncrement', 'priceIncrement'] as const;

interface Asking {
  readonly calls: HttpCalls;
  readonly signed: SignedGets | null;
  readonly service: ServiceSettings;
  readonly timers: Timers;
}

/**
 * The readings of the service's lists (spec 4.2, 4.3), which change nothing: read with and without a user agent, and
 * with the key if the service asks for one. Rejects with SERVICE_UNREACHABLE.
 */
export async function listReadings(options: {
  readonly baseUrl: string;
  readonly service: ServiceSettings;
  readonly timers: Timers;
}): Promise<readonly ObservedReading[]> {
  const { baseUrl, service, timers } = options;
  const address = serviceAddress(baseUrl);
  const calls = new HttpCalls(address, timers);
  const asking: Asking = { calls, signed: SignedGets.from(service, timers), service, timers };
  try {
    const products = `${servicePath(address, service.paths.products, service.brand)}?exchangeCode=VB`;
    const accounts = servicePath(address, service.paths.accounts, service.brand);
    return [...(await productReadings(products, asking)), ...(await accountReadings(accounts, asking)), ...secretReading(service)];
  } finally {
    await calls.close();
  }
}

async function productReadings(path: string, asking: Asking): Promise<readonly ObservedReading[]> {
  const inspect = (to: string, headers: Readonly<Record<string, string>>): Promise<HttpResponse> =>
    asking.calls.inspect({ method: 'GET', path: to, headers, what: 'the list of products' });
  const first = await inspect(path, {});
  const nameless = await inspect(path, { 'user-agent': '' });
  const isNamed = nameless.status === 403 && first.status !== 403;
  const isRedirected = first.status >= 300 && first.status < 400;
  const isDated = first.date !== null && !Number.isNaN(httpDateMs(first.date));
  const heardOfAll = [
    heard('agent', isNamed ? 'agent-needed' : 'any-agent', `${nameless.status} without a User-Agent`),
    heard(
      'redirects',
      isRedirected ? 'redirected-gets' : 'answered-there',
      isRedirected ? `${first.status} to ${first.location}` : `${first.status}`,
    ),
    heard('dates', isDated ? 'dated-answers' : 'undated-answers', first.date === null ? 'no header Date' : `Date: ${first.date}`),
  ];
  const followed = isRedirected ? await asking.calls.once({ method: 'GET', path, headers: {}, what: 'the list of products' }) : first;
  const isByKey = followed.status === 401 && asking.signed !== null;
  const answer = isByKey ? await inspect(path, asking.signed?.headers(path) ?? {}) : followed;
  const page = answer.status === 200 ? listPage(answer, path) : null;
  if (!page) return heardOfAll;
  if (isByKey) heardOfAll.push(heard('productList', 'products-by-key', '401 without the key, 200 with it'));
  else if (page.records.length === 0) {
    await new Promise<void>((resolve) => asking.timers.after(AGAIN_MS, resolve));
    const later = listPage(await asking.calls.once({ method: 'GET', path, headers: {}, what: 'the list of products' }), path);
    const count = later?.records.length ?? 0;
    if (count > 0)
      heardOfAll.push(heard('productList', 'products-empty-at-first', `empty, and ${count} products ${AGAIN_MS / 1000} s later`));
    return [...heardOfAll, ...limitsOf(later?.records ?? [])];
  } else heardOfAll.push(formOf(answer, page));
  return [...heardOfAll, ...limitsOf(page.records)];
}

function formOf(
  { text }: HttpResponse,
  { records, next }: { readonly records: readonly unknown[]; readonly next: string | null },
): ObservedReading {
  if (next !== null) return heard('productList', 'product-pages', `the next page is ${next}`);
  const broken = records.find((record) => isFields(record) && LIMITS.some((name) => record[name] === null));
  if (isFields(broken)) return heard('productList', 'product-null-limit', `${String(broken.productCode)} has a limit that is null`);
  const body: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  if (Array.isArray(body)) return heard('productList', 'product-list', `${records.length} products`);
  const field = isFields(body) ? Object.keys(body).find((name) => Array.isArray(body[name])) : undefined;
  return heard('productList', field === 'data' ? 'product-list-in-data' : null, `${records.length} products in ${field ?? 'an object'}`);
}

function limitsOf(records: readonly unknown[]): ObservedReading[] {
  const record = records.find((one): one is Fields => isFields(one) && one.minSize !== undefined && one.minSize !== null);
  if (!record) return [];
  const isText = LIMITS.some((name) => typeof record[name] === 'string');
  return [heard('limits', isText ? 'text-limits' : 'number-limits', `minSize ${JSON.stringify(record.minSize)}`)];
}

/** The readings of the list of accounts, which needs a token or the key. */
async function accountReadings(path: string, { calls, signed, service }: Asking): Promise<readonly ObservedReading[]> {
  const bearer = service.token === null ? null : { authorization: `Bearer ${service.token}` };
  for (const headers of [bearer, signed?.headers(path) ?? null]) {
    if (headers === null) continue;
    const answer = await calls.once({ method: 'GET', path, headers, what: 'the list of accounts' });
    const [account] = answer.status === 200 ? (listPage(answer, path)?.records ?? []) : [];
    if (!isFields(account)) continue;
    return [heard('accounts', typeof account.id === 'number' ? 'account-number-ids' : 'account-text-ids', `id ${typeof account.id}`)];
  }
  return [];
}

function secretReading({ apiSecret }: ServiceSettings): ObservedReading[] {
  if (apiSecret === null || apiSecret.length === 0) return [];
  // A multiple of three bytes needs no padding, so its absence shows nothing.
  if (apiSecret.endsWith('=')) return [heard('secret', 'padded-secret', 'yours ends with =')];
  return apiSecret.length % 4 === 0 ? [] : [heard('secret', 'unpadded-secret', 'yours ends without =')];
}
