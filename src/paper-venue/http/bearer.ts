import type { FastifyRequest } from 'fastify';
import type { TokenOwner } from '#paper-venue/users/sessions.ts';
import type { VenueContext } from './context.ts';
import { type ErrorResponse, refusal } from './refusal.ts';

/** The owner of the bearer token (spec 5.2), or the refusal. */
export async function bearerOf(
  { sessions }: VenueContext,
  request: FastifyRequest,
): Promise<{ readonly owner: TokenOwner } | { readonly fault: ErrorResponse }> {
  const header = request.headers.authorization;
  if (header === undefined) return { fault: refusal(401, 'TOKEN_MISSING', 'the header Authorization is missing') };
  const token = /^Bearer ([\w.-]+)$/i.exec(header)?.[1];
  const owner = token === undefined ? undefined : await sessions.ownerOf('access', token);
  return owner ? { owner } : { fault: refusal(401, 'TOKEN_INVALID', 'the bearer token is invalid, was revoked or has expired') };
}
