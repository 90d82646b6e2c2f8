import type { FastifyInstance } from 'fastify';
import { listenFor, type PostServer, postApp } from './post-server.ts';
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

/** Opens the webhook server, with a single POST route. Throws PORT_IN_USE if the address is taken. */
export const openWebhookServer = (options: WebhookServerOptions): Promise<PostServer> =>
  listenFor(webhookApp(options), { ...options, setting: 'webhooks.port' });

/** The server's routes, before it listens. */
export function webhookApp({ path, receiver, onRefused, ...patience }: Omit<WebhookServerOptions, 'host' | 'port'>): FastifyInstance {
  const app = postApp({ connections: 512, type: 'application/json', onRefused, ...patience });
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
