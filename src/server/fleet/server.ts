import Fastify from 'fastify';
import { z } from 'zod';
import { KairosError } from '#domain/errors.ts';
import { listenAt } from '#domain/listen-fault.ts';
import { NO_SCHEMAS } from '#domain/no-schemas.ts';
import { SWEEP_ACTS, type SweepAct } from '#domain/sweep-act.ts';
import type { Timers } from '#ports/timers.ts';
import { body, id, readBody } from '#server/control/bodies.ts';
import { addHaltRoute, haltBody } from '#server/control/halt-route.ts';
import { RequestGuard } from '#server/control/request-guard.ts';
import { sendAsset } from '#server/page/assets.ts';
import type { Asset } from '#server/page/target.ts';
import type { FleetHaltResult, FleetView } from './view.ts';

/** What the page of a fleet looks at, and asks. */
export interface FleetTarget {
  /** What is known of each daemon now; answers at once. */
  view(): FleetView;
  /** Halts one daemon, or all where `daemon` is null; says of each whether it is halted. Throws NOT_FOUND. */
  halt(daemon: string | null, by: { readonly who: string; readonly why: string }): Promise<FleetHaltResult>;
  /** Pauses, resumes or stops a sweep of the queue. Throws NOT_FOUND where there is none, and QUEUE_UNREACHABLE. */
  askSweep(sweep: string, ask: SweepAct): Promise<void>;
}

interface FleetServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** What whoever halts must show; not that of a daemon. */
  readonly token: string;
  readonly target: FleetTarget;
  /** A file of the page by its path, `/` for the page itself; undefined for an unknown path. */
  readonly asset: (path: string) => Promise<Asset | undefined>;
  readonly timers: Pick<Timers, 'monotonicMs'>;
}

interface FleetServer {
  readonly url: string;
  /** Idempotent. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** A halt waits for each daemon. */
const REQUEST_MS = 10_000;

/** A halt that does not say which daemon is meant is one of all. */
const halting = haltBody({ daemon: z.string().nullable().catch(null) });
const asking = body({ sweep: id, ask: z.enum(SWEEP_ACTS) });

/**
 * Serves the page of a fleet on loopback. The browser speaks to this server alone, which asks the daemons: none of them has to let pages of
 * another address in. Throws PORT_IN_USE.
 */
export async function openFleet({ port, token, target, asset, timers }: FleetServerOptions): Promise<FleetServer> {
  const app = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    forceCloseConnections: true,
    bodyLimit: 4_096,
    requestTimeout: REQUEST_MS,
  });
  const found: { guard?: RequestGuard } = {};
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async ({ headers, raw, method }, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const { guard } = found;
    if (!guard) return reply.code(503).send({ error: 'OPS_UNAVAILABLE', message: 'not open yet' });
    const isLook = method === 'GET' || method === 'HEAD';
    const refused = guard.refuse(headers, raw.rawHeaders) ?? (isLook ? undefined : guard.refuseChange(headers));
    if (refused) return reply.code(refused.status).header('connection', 'close').send({ error: 'REFUSED', message: refused.error });
    return undefined;
  });
  app.setErrorHandler((error: Error & { readonly statusCode?: number }, _request, reply) => {
    const status = error instanceof KairosError ? (error.code === 'NOT_FOUND' ? 404 : 400) : (error.statusCode ?? 500);
    return reply.code(status).send({ error: error instanceof KairosError ? error.code : 'REFUSED', message: error.message });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'NOT_FOUND', message: 'no such path' }));
  app.get('/api/fleet', async () => target.view());
  addHaltRoute(app, ({ body: given }) => {
    const { daemon, ...by } = readBody(halting, given);
    return target.halt(daemon, by);
  });
  app.post('/api/sweep', async (request) => {
    const { sweep, ask } = readBody(asking, request.body);
    await target.askSweep(sweep, ask);
    return { sweep, ask };
  });
  app.get('/*', (request, reply) => sendAsset({ asset }, request, reply));
  const address = await listenAt(app, { host: HOST, port }, '--port');
  found.guard = new RequestGuard({ host: HOST, port: Number(new URL(address).port), token, timers });
  return { url: address, close: () => app.close() };
}
