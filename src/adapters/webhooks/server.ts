import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { listenFault } from '#domain/listen-fault.ts';
import type { Receiver } from './receiver.ts';

interface WebhookServerOptions {
  readonly host: string;
  /** 0 for one that is free. */
  readonly port: number;
  /** The one path that is served. */
  readonly path: string;
  readonly receiver: Receiver;
  /** Told why each request was turned away. */
  readonly onRefused: (error: string) => void;
  /** How long a request may take to arrive, and a connection be silent, in milliseconds; 5000 unless given. */
  readonly patienceMs?: number;
}

/** The server that takes the service's notifications. */
export interface WebhookServer {
  /** Where the service is to send. */
  readonly url: string;
  /** Takes nothing more, and cuts what is open. Idempotent. */
  close(): Promise<void>;
}

/** Whoever is slow, sends much or holds a connection without a word is cut off (F43). */
const LIMITS = { bodyBytes: 65_536, headerBytes: 8_192, connections: 512 } as const;
const PATIENCE_MS = 5_000;

const none = (): never => {
  throw new TypeError('no route has a schema');
};
/** Schemas of routes, of which there are none, would be compiled by code that takes as long to load as the whole server. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: none, buildSerializer: none } };

/** The listener of webhooks: one POST route, nothing else. Throws PORT_IN_USE where the address cannot be had. */
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

/** The routes of the listener, before it listens. */
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
    // The signature is over the bytes as they were sent: a packed body is none that this service sends.
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
