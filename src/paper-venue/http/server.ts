import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { NO_SCHEMAS } from '#domain/no-schemas.ts';
import { ACCOUNTS, LIMITS } from '#paper-venue/defaults.ts';
import { addRequestDialect, NumberIds } from '#paper-venue/dialect/requests.ts';
import { asyncApi } from '#paper-venue/documents/asyncapi.ts';
import { openApi } from '#paper-venue/documents/openapi.ts';
import { addRequestFaults } from '#paper-venue/faults/requests.ts';
import { EXCHANGE_CODES, LISTED_PRODUCTS } from '#paper-venue/products.ts';
import { addRequestWatch } from '#paper-venue/watch/requests.ts';
import { adminRoutes } from './admin.ts';
import { bearerOf } from './bearer.ts';
import { brokerRoutes } from './broker.ts';
import type { VenueContext } from './context.ts';
import { loginRoute } from './login.ts';
import { orchestratorRoutes } from './orchestrator.ts';
import { fieldRefusal, refusal, sendRefusal } from './refusal.ts';

/** Answers unknown paths. */
function notFound({ timers }: VenueContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(request, reply, { ...refusal(404, 'NOT_FOUND', 'no such path'), atMs: timers.wallMs() });
}

/** The venue's HTTP server: every endpoint, raw bodies, and limits. */
export async function httpServer(context: VenueContext): Promise<FastifyInstance> {
  const { timers, settings, log } = context;
  const ids = new NumberIds();
  const app = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => (context.dialect ? ids.pathHere(url) : url),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: LIMITS.requestTimeoutMs,
    // A path that cannot be decoded is answered like an unknown one.
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
  if (context.watch) addRequestWatch(app, context, context.watch);
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

/** Adds the documents that describe the venue to other programs. */
function documentRoutes(app: FastifyInstance, { settings }: VenueContext): void {
  app.get('/openapi.json', async (_request, reply) => reply.send(openApi(settings.brand)));
  app.get('/asyncapi.json', async (_request, reply) => reply.send(asyncApi(settings.brand)));
}

/** Adds the lists of accounts (spec 4.2, with bearer token) and products (spec 4.3, without). */
function listingRoutes(app: FastifyInstance, context: VenueContext): void {
  const { timers } = context;
  app.get('/as/v3/accounts', async (request, reply) => {
    const bearer = await bearerOf(context, request);
    return 'fault' in bearer ? sendRefusal(request, reply, { ...bearer.fault, atMs: timers.wallMs() }) : reply.send(ACCOUNTS);
  });
  app.get('/mms/v2/productDetails', async (request, reply) => {
    const codes = new URLSearchParams(request.raw.url?.split('?')[1] ?? '').getAll('exchangeCode');
    const [code] = codes;
    if (codes.length > 1 || (code !== undefined && !EXCHANGE_CODES.includes(code))) {
      const description = `exchangeCode must be one of ${EXCHANGE_CODES.join(', ')}`;
      const fault = fieldRefusal(400, 'INVALID_EXCHANGE_CODE', [{ fields: ['exchangeCode'], description, rejectedValue: codes.join() }]);
      return sendRefusal(request, reply, { ...fault, atMs: timers.wallMs() });
    }
    const wanted = LISTED_PRODUCTS.filter(({ exchangeCode }) => code === undefined || exchangeCode === code);
    return reply.send(wanted.map(({ record }) => record));
  });
}
