import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { type ErrorCode, KairosError } from '#domain/errors.ts';
import { keyTwice } from '#domain/key-twice.ts';
import { listenAt } from '#domain/listen-fault.ts';
import { NO_SCHEMAS } from '#domain/no-schemas.ts';
import { shortLine } from '#domain/one-line.ts';
import type { NamedToken, Role } from '#domain/ops-token.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { WATCHER } from '#domain/watcher.ts';
import type { Timers } from '#ports/timers.ts';
import { addPage } from '#server/page/routes.ts';
import type { PageTarget } from '#server/page/target.ts';
import { usage } from './bodies.ts';
import { ENDPOINTS, type EndpointName, fieldsOf } from './endpoints.ts';
import { addHaltRoute } from './halt-route.ts';
import { ConnectionPlaces } from './places.ts';
import { RequestGuard, type RequestRefusal, type TokenHolder } from './request-guard.ts';
import type { Acts, OpsTarget } from './target.ts';

interface OpsOptions {
  /** A loopback address. */
  readonly host: string;
  /** Null for 8080 or the next free one. */
  readonly port: number | null;
  /** Port of the previous run, used again if it is free and `port` is not set. */
  readonly formerPort?: number | null;
  readonly token: string;
  readonly tokens?: readonly NamedToken[];
  readonly target: OpsTarget;
  /** The source of the page; without it there is no page. */
  readonly page?: { readonly target: PageTarget; readonly timers: Pick<Timers, 'monotonicMs' | 'every'> };
  readonly timers: Pick<Timers, 'monotonicMs'>;
  /** Told of each look of the watcher. */
  readonly onWatched?: () => void;
}

/** The listening control server. */
export interface OpsServer {
  readonly url: string;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Ports that are tried in turn if none is set. */
const TRIED: readonly number[] = Array.from({ length: 201 }, (_, n) => 8080 + n);
/** Limits against slow, large and frequent requests, which must not delay quotes. */
const LIMITS = { bodyBytes: 4_096, headerBytes: 8_192, headersMs: 2_000, requestMs: 4_000, idleMs: 10_000, connections: 96 } as const;
/** How often slow connections are looked for, in milliseconds. */
const LOOK_MS = 500;

const LOOKS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  USAGE: 400,
  REMOTE_INVALID: 400,
  NOT_FOUND: 404,
  DRILL_REFUSED: 409,
  ACT_REFUSED: 409,
  NOT_OPEN: 409,
  OPS_UNAVAILABLE: 503,
  JOURNAL_FAULT: 503,
};

/**
 * The control server: health, state, and the acts of a person. GETs read, POSTs act, and both are answered from memory.
 * Throws PORT_IN_USE if the configured port is taken or not allowed.
 */
export async function openOps(options: OpsOptions): Promise<OpsServer> {
  const { port, formerPort } = options;
  if (port !== null) return listen(options, port);
  let taken: unknown;
  for (const next of formerPort == null ? TRIED : [formerPort, ...TRIED]) {
    try {
      return await listen(options, next);
    } catch (error) {
      // Taken: the next one then.
      if (!(error instanceof KairosError)) throw error;
      taken = error;
    }
  }
  throw taken;
}

async function listen(options: OpsOptions, port: number): Promise<OpsServer> {
  const { host, token, tokens = [], timers, target, page, onWatched } = options;
  const app = opsApp(target, new RequestGuard({ host, port, token, tokens, timers, instance: page?.target.hello().instance }));
  if (onWatched)
    app.addHook('onRequest', async ({ headers }) => {
      if (headers['user-agent'] === WATCHER) onWatched();
    });
  const endStream = page ? addPage(app, page.target, page.timers) : () => {};
  await listenAt(app, { host, port }, 'ops.port');
  const close = async (): Promise<void> => {
    endStream();
    await app.close();
  };
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, close };
}

/** The routes of the control server, before it listens. */
export function opsApp(target: OpsTarget, guard: RequestGuard): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    keepAliveTimeout: LIMITS.idleMs,
    forceCloseConnections: true,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: LIMITS.requestMs,
    http: { maxHeaderSize: LIMITS.headerBytes, headersTimeout: LIMITS.headersMs, connectionsCheckingInterval: LOOK_MS },
  });
  // What a client expects of the answer, and it is no `100-continue`, refuses no act.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Their bytes are limited; a limit on their number would hide the last ones.
  app.server.maxHeadersCount = 0;
  const places = new ConnectionPlaces(app.server, LIMITS.connections);
  app.removeContentTypeParser(['text/plain', 'application/json']);
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    parse(request, body, (error, value) => {
      const twice = error ? undefined : keyTwice(body);
      done(twice === undefined ? error : usage(`${JSON.stringify(shortLine(twice))} is given twice`), value);
    }),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const { headers, raw } = request;
    const refused =
      guard.refuse(headers, raw.rawHeaders) ??
      (LOOKS.has(request.method) ? undefined : guard.refuseChange(headers, roleFor(request.routeOptions.url)));
    if (refused) return turnAway(reply, refused);
    if (guard.holder(headers.authorization)) places.trust(raw);
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error instanceof KairosError ? (STATUS[error.code] ?? 500) : (error.statusCode ?? 500);
    return reply.code(status).send({ error: error.code, message: error.message });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'NOT_FOUND', message: 'no such path' }));

  app.get('/healthz', async () => ({ alive: true }));
  app.get('/readyz', async (_request, reply) => {
    const reasons = target.notReady();
    return reply.code(reasons.length === 0 ? 200 : 503).send({ ready: reasons.length === 0, reasons });
  });
  app.get('/api/state', async () => target.state());
  app.get('/api/why-not', async () => target.whyNot());
  addHaltRoute(app, ({ body, headers }) => {
    const said = isGroup(body) ? body : { why: body };
    return perform('halt', byHolder(said, guard.holder(headers.authorization)), target);
  });
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    if (name === 'halt' || name === 'token') continue;
    app.post(`/api/${name}`, async ({ body, headers, raw }) => {
      await awaited(raw);
      return perform(name, byHolder(body, guard.holder(headers.authorization)), target);
    });
  }
  app.post('/api/token', async ({ body, headers }) => {
    const checked = await perform('token', body, target);
    return { ...checked, role: guard.holder(headers.authorization)?.role };
  });
  app.get<{ Params: { id: string } }>('/api/by-hand/:id', async ({ params }, reply) => {
    const task = target.byHandTask(params.id);
    return task ?? reply.code(404).send({ error: 'NOT_FOUND', message: `no request has the id ${params.id.slice(0, 50)}` });
  });
  app.get<{ Params: { id: string } }>('/api/remote/:id', async ({ params }, reply) => {
    const task = target.remoteTask(params.id);
    return task ?? reply.code(404).send({ error: 'NOT_FOUND', message: `no request has the id ${params.id.slice(0, 50)}` });
  });
  return app;
}

/**
 * Refuses an act whose asker has gone, as from a daemon that stood still: who is told that no answer came asks again, and it would be done
 * twice. The end of a connection is read a turn behind its request.
 */
async function awaited({ socket }: IncomingMessage): Promise<void> {
  for (let turns = 0; turns < 2; turns++) await turn();
  if (socket.destroyed || socket.readableEnded)
    throw new KairosError('ACT_REFUSED', 'nobody waits for its answer any more: nothing was done');
}

/** Performs an act with a JSON body, and returns its answer. Throws as `fieldsOf`, and what the daemon throws. */
function perform<Name extends EndpointName>(name: Name, given: unknown, target: Acts): object | Promise<object> {
  return target[name](fieldsOf(name, given));
}

/** The least role for an act, by its route. */
const roleFor = (route: string | undefined): Role => (route === '/api/arm' ? 'arm' : route === '/api/token' ? 'read' : 'operate');

/** The body of an act, by the name of its token where that has one: nobody acts under another's. */
function byHolder(body: unknown, holder: TokenHolder | undefined): unknown {
  const said = body === undefined ? {} : body;
  return holder?.name == null || !isGroup(said) ? body : { ...said, who: holder.name };
}

/** Sends a refusal without waiting for the body, which may never come. */
function turnAway(reply: FastifyReply, { status, error }: RequestRefusal): FastifyReply {
  return reply.code(status).header('connection', 'close').send({ error: 'REFUSED', message: error });
}
