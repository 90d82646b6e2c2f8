import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { listenAt } from '#domain/listen-fault.ts';
import { NO_SCHEMAS } from '#domain/no-schemas.ts';

interface PostBounds {
  readonly connections: number;
  /** Time limit of a request, and of a silent connection, in milliseconds; 5000 by default. */
  readonly patienceMs?: number;
  /** The only type of body, `*` for any. Bodies are read as bytes, at most 64 kB unless a route says otherwise. */
  readonly type: string;
  /** Called with the cause where no route has answered. */
  readonly onRefused: (error: string) => void;
}

/** A server that others post to. */
export interface PostServer {
  readonly url: string;
  /** Stops listening and cuts open connections. Idempotent. */
  close(): Promise<void>;
}

const BODY_BYTES = 65_536;
const HEADER_BYTES = 8_192;
const PATIENCE_MS = 5_000;

/** A server without routes, bounded against slow, large and silent requests (F43), before it listens. */
export function postApp({ connections, patienceMs = PATIENCE_MS, type, onRefused }: PostBounds): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit: BODY_BYTES,
    requestTimeout: patienceMs,
    keepAliveTimeout: patienceMs,
    http: { maxHeaderSize: HEADER_BYTES, headersTimeout: patienceMs, connectionsCheckingInterval: patienceMs / 5 },
  });
  app.server.maxConnections = connections;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('cache-control', 'no-store');
    return payload;
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    onRefused(error.code);
    return reply.code(error.statusCode ?? 500).send({ error: error.code });
  });
  app.setNotFoundHandler((_request, reply) => {
    onRefused('NOT_FOUND');
    return reply.code(404).send({ error: 'NOT_FOUND' });
  });
  return app;
}

/** Opens the server; `setting` has its port, 0 for any free one. Throws PORT_IN_USE if the address is taken. */
export async function listenFor(
  app: FastifyInstance,
  { host, port, path, setting }: { readonly host: string; readonly port: number; readonly path: string; readonly setting: string },
): Promise<PostServer> {
  await listenAt(app, { host, port }, setting);
  const address = app.server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}${path}`, close: () => app.close() };
}
