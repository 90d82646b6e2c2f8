import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoTime } from '#domain/names.ts';

/** A fault of one or more fields of a request. */
export interface FieldFault {
  readonly fields: readonly string[];
  readonly description: string;
  readonly rejectedValue?: unknown;
}

/** A request that is answered with an error: status, stable code, one line for people. */
export interface ErrorResponse {
  readonly status: number;
  readonly errorCode: string;
  readonly error: string;
  readonly errors: readonly FieldFault[];
}

export function refusal(status: number, errorCode: string, error: string): ErrorResponse {
  return { status, errorCode, error, errors: [] };
}

/** A refusal that names the fields at fault. */
export function fieldRefusal(status: number, errorCode: string, errors: readonly FieldFault[]): ErrorResponse {
  return { status, errorCode, error: errors.map(({ description }) => description).join('; '), errors };
}

/** Sends the service's error body, which is the same on all paths (notes, "Errors of the strategy endpoints"). */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, answer: ErrorResponse & { readonly atMs: number }): FastifyReply {
  const { status, errorCode, error, errors, atMs } = answer;
  const path = request.raw.url ?? '';
  return reply.code(status).send({ timestamp: isoTime(atMs), status, path, errorCode, error, errors });
}
