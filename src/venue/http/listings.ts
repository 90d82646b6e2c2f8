import type { FastifyInstance } from 'fastify';
import { ACCOUNTS } from '#venue/defaults.ts';
import { EXCHANGE_CODES, LISTED_PRODUCTS } from '#venue/products.ts';
import { bearerOf } from './bearer.ts';
import type { VenueContext } from './context.ts';
import { fieldRefusal, sendRefusal } from './refusal.ts';

/** The lists of accounts (spec 4.2, with bearer token) and products (spec 4.3, without). */
export function listingRoutes(app: FastifyInstance, context: VenueContext): void {
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
