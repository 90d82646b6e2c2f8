import type { FastifyInstance } from 'fastify';
import { asyncApi } from '#venue/documents/asyncapi.ts';
import { openApi } from '#venue/documents/openapi.ts';
import type { VenueContext } from './context.ts';

/** The documents that describe the venue to other programs, beside what they describe. */
export function documentRoutes(app: FastifyInstance, { settings }: VenueContext): void {
  app.get('/openapi.json', async (_request, reply) => reply.send(openApi(settings.brand)));
  app.get('/asyncapi.json', async (_request, reply) => reply.send(asyncApi(settings.brand)));
}
