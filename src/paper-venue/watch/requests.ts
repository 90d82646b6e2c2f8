import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Side } from '#domain/quote.ts';
import { authenticationFault, headerOf, rawBodyOf, userFault } from '#paper-venue/http/broker-authentication.ts';
import type { VenueContext } from '#paper-venue/http/context.ts';
import { jsonObjectOf } from '#paper-venue/http/json.ts';
import type { VenueWatch, WatchedOrder } from './venue-watch.ts';

const SIDES: Readonly<Record<string, Side>> = { BUY: 'buy', SELL: 'sell' };

/** Reports all orders to the watch as they come, before faults strike. */
export function addRequestWatch(app: FastifyInstance, context: VenueContext, watch: VenueWatch): void {
  const { settings, timers, paths } = context;
  const api = `/${settings.brand}-broker/api`;
  let count = 0;
  app.addHook('preHandler', async (request, reply) => {
    const [path = '', query = ''] = (request.raw.url ?? '').split('?');
    if (path !== `${api}${paths.orders}`) return;
    if (request.method === 'GET') return watch.queried(new URLSearchParams(query).get('quoteId') ?? '');
    if (request.method !== 'POST') return;
    count += 1;
    const number = count;
    const { raw } = reply;
    raw.once('close', () => {
      const asked = Number(reply.getHeader('retry-after'));
      const retryAfterMs = raw.statusCode === 429 && Number.isFinite(asked) ? asked * 1000 : null;
      watch.answered(number, { status: raw.statusCode, isWhole: raw.writableFinished, retryAfterMs });
    });
    watch.ordered(orderOf(request, context, { number, atMs: timers.wallMs() }));
  });
  // The watch may have its own clock.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('date', new Date(timers.wallMs()).toUTCString());
  });
}

function orderOf(
  request: FastifyRequest,
  { dialect, book }: VenueContext,
  { number, atMs }: Pick<WatchedOrder, 'number' | 'atMs'>,
): WatchedOrder {
  const { headers } = request;
  const body = rawBodyOf(request.body);
  const signed = { method: request.raw.method ?? request.method, rawPath: request.originalUrl, headers, body };
  const fault = authenticationFault(signed, atMs) ?? userFault(headerOf(headers, 'x-api-user-id'));
  const { quoteId, side } = jsonObjectOf(body) ?? {};
  const id = typeof quoteId === 'string' ? quoteId.toLowerCase() : null;
  const found = id === null ? undefined : book.find(dialect?.quoteIdOf(id) ?? id);
  return {
    number,
    atMs,
    quoteId: id,
    side: (dialect?.sides ?? SIDES)[String(side)] ?? null,
    quote: found?.kind === 'known' ? found.quote : null,
    fault: fault?.errorCode ?? null,
  };
}
