import Fastify from 'fastify';
import { listenAt } from '#domain/listen-fault.ts';
import { NO_SCHEMAS } from '#domain/no-schemas.ts';
import type { Timers } from '#ports/timers.ts';
import { RequestGuard } from '#server/control/request-guard.ts';
import { sendAsset } from '#server/page/assets.ts';
import type { Asset } from '#server/page/target.ts';

/** The source of the arena's page. */
interface ArenaTarget {
  /** A file of the page by its path, `/` for the page itself; undefined for an unknown path. */
  asset(path: string): Promise<Asset | undefined>;
  /** The `Film` as JSON; with `after`, only the part after that time. */
  film(after: number | null): string;
}

interface ArenaServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly target: ArenaTarget;
  readonly timers: Pick<Timers, 'monotonicMs' | 'uuid'>;
}

interface ArenaServer {
  readonly url: string;
  /** Idempotent. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Serves the arena's page on loopback, read-only. Throws PORT_IN_USE. */
export async function openArena({ port, target, timers }: ArenaServerOptions): Promise<ArenaServer> {
  const app = Fastify({ logger: false, schemaController: NO_SCHEMAS, forceCloseConnections: true, bodyLimit: 1, requestTimeout: 10_000 });
  const found: { guard?: RequestGuard } = {};
  app.addHook('onRequest', async ({ headers, raw, method }, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const refused = found.guard ? found.guard.refuse(headers, raw.rawHeaders) : { status: 503, error: 'not open yet' };
    if (refused) return reply.code(refused.status).send({ error: refused.error });
    if (method !== 'GET' && method !== 'HEAD') return reply.code(405).send({ error: 'the arena is read-only' });
    return undefined;
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'no such path' }));
  app.get<{ Querystring: { readonly after?: string } }>('/api/film', ({ query }, reply) => {
    const after = Number(query.after ?? Number.NaN);
    return reply.type('application/json; charset=utf-8').send(target.film(Number.isFinite(after) ? after : null));
  });
  app.get('/*', (request, reply) => sendAsset(target, request, reply));
  const address = await listenAt(app, { host: HOST, port }, '--port');
  found.guard = new RequestGuard({ host: HOST, port: Number(new URL(address).port), token: timers.uuid(), timers });
  return { url: address, close: () => app.close() };
}
