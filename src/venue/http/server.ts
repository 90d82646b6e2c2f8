import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LIMITS } from '#venue/defaults.ts';
import { addRequestDialect, NumberIds } from '#venue/dialect/requests.ts';
import { addRequestFaults } from '#venue/faults/requests.ts';
import { adminRoutes } from './admin.ts';
import { brokerRoutes } from './broker.ts';
import type { VenueContext } from './context.ts';
import { documentRoutes } from './documents.ts';
import { listingRoutes } from './listings.ts';
import { loginRoute } from './login.ts';
import { orchestratorRoutes } from './orchestrator.ts';
import { refusal, sendRefusal } from './refusal.ts';

/** Answers what leads nowhere. */
function notFound({ timers }: VenueContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(request, reply, { ...refusal(404, 'NOT_FOUND', 'no such path'), atMs: timers.wallMs() });
}

/** The venue's HTTP side: every endpoint, with bodies kept as the bytes that came, and with limits on all of it. */
export async function httpServer(context: VenueContext): Promise<FastifyInstance> {
  const { timers, settings, log } = context;
  const ids = new NumberIds();
  const app = Fastify({
    logger: false,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => (context.dialect ? ids.pathHere(url) : url),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: LIMITS.requestTimeoutMs,
    // A path that cannot be decoded is answered like any other that leads nowhere.
    frameworkErrors: (_error, request, reply) => notFound(context, request, reply),
    routerOptions: { maxParamLength: LIMITS.headerBytes },
    http: { maxHeaderSize: LIMITS.headerBytes, headersTimeout: LIMITS.requestTimeoutMs },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) log(`${request.method} ${request.url}: ${error.message}`);
    const shown =
      status >= 500 ? refusal(500, 'INTERNAL', 'the venue could not handle the request') : refusal(status, error.code, error.message);
    return sendRefusal(request, reply, { ...shown, atMs: timers.wallMs() });
  });
  app.setNotFoundHandler((request, reply) => notFound(context, request, reply));
  if (context.dialect) addRequestDialect(app, context, { dialect: context.dialect.dialect, ids });
  if (context.faults) addRequestFaults(app, context, context.faults);
  adminRoutes(app, context);
  documentRoutes(app, context);
  listingRoutes(app, context);
  loginRoute(app, context);
  orchestratorRoutes(app, context);
  await app.register(brokerRoutes(context), { prefix: `/${settings.brand}-broker/api` });
  await app.ready();
  return app;
}
