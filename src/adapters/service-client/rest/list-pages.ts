import { printable } from '#adapters/service-client/quotes/decode-frame.ts';
import { type Fields, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { KairosError } from '#domain/errors.ts';
import { jsonIn } from '#domain/json-in.ts';
import { type HttpResponse, pathWithin } from './http-call.ts';

/** One page of a list: its records, and where the next page is; null at the end. */
interface ListPage {
  readonly records: readonly unknown[];
  readonly next: string | null;
}

/** Fields in which services put a list. */
const LISTS = [
  'content',
  'items',
  'data',
  'results',
  'result',
  'records',
  'rows',
  'list',
  'products',
  'productDetails',
  'accounts',
] as const;
/** Fields with the address of the next page. */
const ADDRESSES = ['next', 'nextUrl', 'nextLink', 'next_url', 'nextPageUrl'] as const;
/** Fields with a mark of the next page, and the query parameter that takes it. */
const MARKS = { nextPageToken: 'pageToken', nextCursor: 'cursor', next_cursor: 'cursor' } as const;

/**
 * Reads a page of a list that was asked for at `path` (spec 4.2, 4.3 show a bare list): the list itself, or an object with the one list in it,
 * once more wrapped or not. The next page is told by the header `Link`, by an address, by a mark, or by a page number of Spring's
 * kind. Null for anything else, or where two lists leave a choice.
 */
export function listPage({ text, link }: Pick<HttpResponse, 'text' | 'link'>, path: string): ListPage | null {
  const body = jsonIn(text.replace(/^\ufeff/, ''));
  const next = linked(link);
  if (Array.isArray(body)) return { records: body, next: next && within(next, path) };
  if (!isFields(body)) return null;
  const inner = [body, ...LISTS.map((name) => body[name])].flatMap((holder) => (isFields(holder) ? listsIn(holder) : []));
  const [records] = inner;
  if (records === undefined || inner.length > 1) return null;
  const holders = [body, ...LISTS.map((name) => body[name]), body.page, body.paging, body.pagination, body.links, body._links, body.meta];
  const told = next ?? holders.map((holder) => (isFields(holder) ? nextIn(holder, path) : null)).find((found) => found !== null) ?? null;
  return { records, next: told && within(told, path) };
}

/** More pages than any list has. */
const MAX_PAGES = 200;

/**
 * The records of a list, page by page; `ask` asks for one at its path. Rejects as `ask` does, and with SERVICE_UNREADABLE for what is no list,
 * does not end, or goes on elsewhere.
 */
export async function* pagesOf(
  { origin, path: first, what }: { readonly origin: string; readonly path: string; readonly what: string },
  ask: (path: string) => Promise<HttpResponse>,
): AsyncGenerator<readonly unknown[]> {
  const asked = new Set<string>();
  for (let path: string | null = first; path !== null; ) {
    asked.add(path);
    const answer = await ask(path);
    const page = listPage(answer, path);
    if (page === null) {
      const said = `${origin} answered with ${kindOf(answer)} instead of a list of ${what}`;
      throw new KairosError('SERVICE_UNREADABLE', `${said}; check service.baseUrl and service.paths`);
    }
    yield page.records;
    if (page.next === null) return;
    path = pathWithin(origin, '/', page.next);
    if (path === null) {
      const said = `${origin}: the list of ${what} goes on at another service, ${printable(page.next, 100)}`;
      throw new KairosError('SERVICE_UNREADABLE', `${said}, to which Kairos sends no token; check service.baseUrl`);
    }
    if (asked.has(path) || asked.size >= MAX_PAGES) {
      const said = `${origin}: the list of ${what} does not end: page ${asked.size + 1} is ${printable(path, 100)}`;
      throw new KairosError('SERVICE_UNREADABLE', said);
    }
  }
}

function kindOf({ complete, contentType, text }: HttpResponse): string {
  if (!complete) return 'a body that is incomplete or over 8 MiB';
  return /html/i.test(contentType) || /^\s*</.test(text) ? 'an HTML page' : 'something else';
}

function listsIn(fields: Fields): readonly (readonly unknown[])[] {
  return LISTS.flatMap((name) => {
    const value = fields[name];
    return Array.isArray(value) ? [value] : [];
  });
}

function nextIn(holder: Fields, path: string): string | null {
  for (const name of ADDRESSES) {
    const value = holder[name];
    const address = isFields(value) ? value.href : value;
    if (typeof address === 'string' && /^(https?:\/\/|\/|\?)/.test(address)) return address;
  }
  for (const [name, parameter] of Object.entries(MARKS)) {
    const mark = holder[name];
    if ((typeof mark === 'string' && mark !== '') || typeof mark === 'number') return withParameter(path, parameter, String(mark));
  }
  const { last, number, totalPages } = holder;
  const more =
    last === false || (last === undefined && typeof totalPages === 'number' && typeof number === 'number' && number + 1 < totalPages);
  return more && typeof number === 'number' ? withParameter(path, 'page', String(number + 1)) : null;
}

function withParameter(path: string, name: string, value: string): string {
  const url = new URL(path, 'http://here');
  url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}

/** An address as an absolute path, or as it is where it leads to another place or is none. */
function within(address: string, path: string): string {
  const url = URL.parse(address, `http://here${path}`);
  return url?.host === 'here' ? `${url.pathname}${url.search}` : address;
}

/** `Link: </products?page=2>; rel="next"` (RFC 8288). */
function linked(header: string | null): string | null {
  return /<([^>]{1,2000})>\s*;[^,]*\brel="?next"?/i.exec(header ?? '')?.[1] ?? null;
}
