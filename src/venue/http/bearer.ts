import type { FastifyRequest } from 'fastify';
import type { VenueContext } from './context.ts';
import { type Refusal, refusal } from './refusal.ts';

/** Why a request is not let in by its bearer token (spec 5.2); undefined when it is. */
export function bearerFault({ tokens, timers }: VenueContext, request: FastifyRequest): Refusal | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return refusal(401, 'TOKEN_MISSING', 'the header Authorization is missing');
  const token = /^Bearer ([\w.-]+)$/i.exec(header)?.[1];
  const subject = token === undefined ? undefined : tokens.subjectOf('access', token, timers.wallMs());
  return subject === undefined ? refusal(401, 'TOKEN_INVALID', 'the bearer token is invalid or has expired') : undefined;
}
