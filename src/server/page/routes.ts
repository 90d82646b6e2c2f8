import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Timers } from '#ports/timers.ts';
import { COMMON, sendAsset } from './assets.ts';
import {
  chartAsk,
  comparisonAsk,
  decisionsAsk,
  docsAsk,
  equityAsk,
  type HistoryAsk,
  orderAsk,
  pricesAsk,
  replayAsk,
  replayMarksAsk,
  reportFileAsk,
  runReportAsk,
  strategyAsk,
  tradesAsk,
  tradesCsvAsk,
} from './history-ask.ts';
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
    reply.type(JSON_TYPE).send(target.orderCheck(orderCheckAsk(query))),
  );
  app.get<{ Querystring: Query }>('/api/parameters', async ({ query }, reply) =>
    reply.type(JSON_TYPE).send(target.parameters(strategyAsk(query))),
  );
  app.get('/api/modules', async (_request, reply) => reply.type(JSON_TYPE).send(target.modules()));
  app.get('/api/remote', async (_request, reply) => reply.type(JSON_TYPE).send(await target.remoteStrategies()));

  const history = async (reply: FastifyReply, ask: HistoryAsk) => reply.type(JSON_TYPE).send(await target.history(ask));
  app.get<{ Querystring: Query }>('/api/history/equity', ({ query }, reply) => history(reply, equityAsk(query)));
  app.get<{ Querystring: Query }>('/api/history/prices', ({ query }, reply) => history(reply, pricesAsk(query)));
  app.get<{ Querystring: Query }>('/api/history/decisions', ({ query }, reply) => history(reply, decisionsAsk(query)));
  app.get<{ Querystring: Query }>('/api/history/chart', ({ query }, reply) => history(reply, chartAsk(query)));
  app.get<{ Querystring: Query }>('/api/history/trades', ({ query }, reply) => history(reply, tradesAsk(query)));
  app.get<{ Querystring: Query }>('/api/history/trades.csv', async ({ query }, reply) =>
    reply
      .headers({ ...COMMON, 'content-disposition': 'attachment; filename="trades.csv"' })
      .type('text/csv; charset=utf-8')
      .send(await target.history(tradesCsvAsk(query))),
  );
  app.get<{ Querystring: Query }>('/api/replay', ({ query }, reply) => history(reply, replayAsk(query)));
  app.get<{ Querystring: Query }>('/api/replay/marks', ({ query }, reply) => history(reply, replayMarksAsk(query)));
  app.get('/api/history/profit', (_request, reply) => history(reply, { kind: 'profit' }));
  app.get<{ Params: { order: string } }>('/api/orders/:order', ({ params }, reply) => history(reply, orderAsk(params.order)));
  app.get('/api/runs', (_request, reply) => history(reply, { kind: 'runs' }));

  const report = async (reply: FastifyReply, ask: HistoryAsk) =>
    reply
      .headers({ ...COMMON, 'content-security-policy': REPORT_POLICY })
      .type('text/html; charset=utf-8')
      .send(await target.history(ask));
  app.get<{ Params: { run: string } }>('/api/runs/:run/report', ({ params }, reply) => report(reply, runReportAsk(params.run)));
  app.get<{ Querystring: Query }>('/api/compare', ({ query }, reply) => report(reply, comparisonAsk(query)));
  app.get<{ Params: { name: string } }>('/api/reports/:name', ({ params }, reply) => report(reply, reportFileAsk(params.name)));

  const documentation = async (reply: FastifyReply, ask: HistoryAsk) =>
    reply
      .headers({ ...COMMON, 'content-security-policy': DOCS_POLICY })
      .type('text/html; charset=utf-8')
      .send(await target.history(ask));
  app.get<{ Querystring: Query }>('/docs', ({ query }, reply) => documentation(reply, docsAsk(query)));
  app.get<{ Params: { '*': string } }>('/docs/*', ({ params }, reply) => documentation(reply, { kind: 'document', name: params['*'] }));

  app.get('/*', (request, reply) => sendAsset(target, request, reply));
  return () => stream.close();
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The number of a row; null for anything else. */
function rowIn(text: unknown): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
