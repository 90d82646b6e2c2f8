import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { Timers } from '#ports/timers.ts';
import { readBody } from '#server/control/bodies.ts';
import { COMMON, sendAsset } from './assets.ts';
import { ASKS, type HistoryAsk, strategyAsk } from './history-ask.ts';
import { orderCheckAsk } from './order-check.ts';
import { PageStream } from './stream.ts';
import type { PageTarget } from './target.ts';

/** The largest number of listening pages, so that connections for acts stay free. */
export const MAX_STREAMS = 32;

/** A report is one file with its script inside; it stands alone, so that nothing in it can act or read what the page keeps. */
const REPORT_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts";

/** A page of the documentation has a form that searches, and nothing else that acts. */
const DOCS_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Query = Readonly<Record<string, unknown>>;
type Ask = z.ZodType<HistoryAsk>;

/** Adds the page, its stream and what it looks up. Returns how to end the stream. */
export function addPage(app: FastifyInstance, target: PageTarget, timers: Pick<Timers, 'monotonicMs' | 'every'>): () => void {
  const stream = new PageStream(target, timers);

  app.get<{ Querystring: Query }>('/api/events', { exposeHeadRoute: false }, (request, reply) => {
    if (stream.count >= MAX_STREAMS) {
      return reply.code(503).send({ error: 'OPS_UNAVAILABLE', message: `${MAX_STREAMS} pages are open, the maximum: close one` });
    }
    const after = rowIn(request.headers['last-event-id']) ?? rowIn(request.query.after);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...COMMON,
    });
    stream.join(raw, after);
  });
  app.get('/metrics', async (_request, reply) => {
    const { type, text } = await target.metrics(stream.count);
    return reply.type(type).send(text);
  });
  app.get('/api/past', async (_request, reply) => reply.type(JSON_TYPE).send((await target.past()).json));
  app.get('/api/arm', async (_request, reply) => reply.type(JSON_TYPE).send(await target.arming()));

  app.get<{ Querystring: Query }>('/api/order-check', async ({ query }, reply) =>
    reply.type(JSON_TYPE).send(target.orderCheck(readBody(orderCheckAsk, query))),
  );
  app.get<{ Querystring: Query }>('/api/parameters', async ({ query }, reply) =>
    reply.type(JSON_TYPE).send(target.parameters(readBody(strategyAsk, query).strategy)),
  );
  app.get('/api/modules', async (_request, reply) => reply.type(JSON_TYPE).send(target.modules()));
  app.get('/api/remote', async (_request, reply) => reply.type(JSON_TYPE).send(await target.remoteStrategies()));

  const history = async (reply: FastifyReply, ask: Ask, given: unknown) =>
    reply.type(JSON_TYPE).send(await target.history(readBody(ask, given)));
  app.get<{ Querystring: Query }>('/api/history/equity', ({ query }, reply) => history(reply, ASKS.equity, query));
  app.get<{ Querystring: Query }>('/api/history/prices', ({ query }, reply) => history(reply, ASKS.prices, query));
  app.get<{ Querystring: Query }>('/api/history/decisions', ({ query }, reply) => history(reply, ASKS.decisions, query));
  app.get<{ Querystring: Query }>('/api/history/chart', ({ query }, reply) => history(reply, ASKS.chart, query));
  app.get<{ Querystring: Query }>('/api/history/trades', ({ query }, reply) => history(reply, ASKS.trades, query));
  app.get<{ Querystring: Query }>('/api/history/trades.csv', async ({ query }, reply) =>
    reply
      .headers({ ...COMMON, 'content-disposition': 'attachment; filename="trades.csv"' })
      .type('text/csv; charset=utf-8')
      .send(await target.history(readBody(ASKS.tradesCsv, query))),
  );
  app.get<{ Querystring: Query }>('/api/replay', ({ query }, reply) => history(reply, ASKS.replay, query));
  app.get<{ Querystring: Query }>('/api/replay/marks', ({ query }, reply) => history(reply, ASKS.replayMarks, query));
  app.get('/api/history/profit', (_request, reply) => history(reply, ASKS.profit, {}));
  app.get<{ Params: { order: string } }>('/api/orders/:order', ({ params }, reply) => history(reply, ASKS.order, params));
  app.get('/api/runs', (_request, reply) => history(reply, ASKS.runs, {}));

  const html = (policy: string) => async (reply: FastifyReply, ask: Ask, given: unknown) =>
    reply
      .headers({ ...COMMON, 'content-security-policy': policy })
      .type('text/html; charset=utf-8')
      .send(await target.history(readBody(ask, given)));
  const report = html(REPORT_POLICY);
  app.get<{ Params: { run: string } }>('/api/runs/:run/report', ({ params }, reply) => report(reply, ASKS.runReport, params));
  app.get<{ Querystring: Query }>('/api/compare', ({ query }, reply) => report(reply, ASKS.comparison, query));
  app.get<{ Params: { name: string } }>('/api/reports/:name', ({ params }, reply) => report(reply, ASKS.reportFile, params));

  const documentation = html(DOCS_POLICY);
  app.get<{ Querystring: Query }>('/docs', ({ query }, reply) => documentation(reply, ASKS.search, query));
  app.get<{ Params: { '*': string } }>('/docs/*', ({ params }, reply) => documentation(reply, ASKS.document, params));

  app.get('/*', (request, reply) => sendAsset(target, request, reply));
  return () => stream.close();
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The number of a row; null for anything else. */
function rowIn(text: unknown): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
