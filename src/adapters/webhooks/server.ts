import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { listenFault } from '#domain/listen-fault.ts';
import type { Receiver } from './receiver.ts';

interface WebhookServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The only path. */
  readonly path: string;
  readonly receiver: Receiver;
  /** Called with the reason of each refusal. */
  readonly onRefused: (error: string) => void;
  /** Time limit of a request, and of a silent connection, in milliseconds; 5000 by default. */
  readonly patienceMs?: number;
}

/** The server that receives the service's notifications. */
export interface WebhookServer {
  /** The address for the service's notifications. */
  readonly url: string;
  /** Stops listening and cuts open connections. Idempotent. */
  close(): Promise<void>;
}

/** Limits against slow, large and silent requests (F43). */
const LIMITS = { bodyBytes: 65_536, headerBytes: 8_192, connections: 512 } as const;
const PATIENCE_MS = 5_000;

const none = (): never => {
  throw new TypeError('no route has a schema');
};
/** Leaves out the schema compiler, which no route needs and which takes as long to load as the whole server. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: none, buildSerializer: none } };

/** Opens the webhook server, with a single POST route. Throws PORT_IN_USE if the address is taken. */
export async function openWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { host, port } = options;
  const app = webhookApp(options);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenFault('webhooks.port', { host, port }, error);
  }
  const address = app.server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shownHost}:${taken}${options.path}`, close: () => app.close() };
}

/** The server's routes, before it listens. */
export function webhookApp({
  path,
  receiver,
  onRefused,
  patienceMs = PATIENCE_MS,
}: Omit<WebhookServerOptions, 'host' | 'port'>): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: patienceMs,
    keepAliveTimeout: patienceMs,
    http: { maxHeaderSize: LIMITS.headerBytes, headersTimeout: patienceMs, connectionsCheckingInterval: patienceMs / 5 },
  });
  app.server.maxConnections = LIMITS.connections;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
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
  app.post(path, async ({ raw, body, headers }, reply) => {
    // The signature is over the bytes as sent; this service does not send compressed bodies.
    if (headers['content-encoding'] !== undefined || !Buffer.isBuffer(body)) {
      onRefused('MEDIA_TYPE');
      return reply.code(415).send({ error: 'MEDIA_TYPE' });
    }
    const every = (name: string): readonly string[] => raw.headersDistinct[name] ?? [];
    const answer = await receiver.receive({ timestamps: every('x-webhook-timestamp'), signatures: every('x-webhook-signature'), body });
    if (answer.error === null) return reply.code(answer.status).send();
    onRefused(answer.error);
    return reply.code(answer.status).send({ error: answer.error });
  });
  return app;
}
