import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isGroup } from '#domain/settings/kind.ts';
import { headerOf, rawBodyOf } from './broker-authentication.ts';
import { type ErrorResponse, type FieldFault, fieldRefusal, refusal } from './refusal.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a JSON object; undefined for anything else, valid JSON or not. */
export function jsonObjectOf(body: Buffer | string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : utf8.decode(body));
    return isGroup(value) ? value : undefined;
  } catch {
    // Not UTF-8 or not JSON: the same to the caller as JSON that is no object.
    return undefined;
  }
}

/** A body, or why it could not be read. */
export type ReadResult<T> = { readonly value: T } | { readonly fault: ErrorResponse };

/** Reads a request's body: 415 if its type is not JSON, 400 if it is no JSON object. */
export function jsonBody(request: FastifyRequest): ReadResult<JsonObject> {
  const type = headerOf(request.headers, 'content-type');
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    return { fault: refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'a body must be sent as application/json') };
  }
  const value = jsonObjectOf(rawBodyOf(request.body));
  return value ? { value } : { fault: refusal(400, 'MALFORMED_BODY', 'the body is not a JSON object') };
}

/** Reads a body by its schema: 400 with each faulty field once. */
export function bodyBy<T>(schema: z.ZodType<T>, body: JsonObject): ReadResult<T> {
  const read = schema.safeParse(body);
  if (read.success) return { value: read.data };
  const byField = new Map(read.error.issues.toReversed().map(({ path, message }) => [path.join('.'), { path: path.map(String), message }]));
  const faults = [...byField.values()].toReversed().map(({ path, message }) => fieldFault(path, message, body));
  return { fault: fieldRefusal(400, 'INVALID_BODY', faults) };
}

/** The fault of a field, with its value if that can be shown. */
export function fieldFault(path: readonly string[], rule: string, body: JsonObject): FieldFault {
  const field = path.join('.') || 'body';
  const value = path.reduce<unknown>(inside, body);
  const missing = value === undefined ? 'is missing: ' : '';
  const description = `${field}: ${missing}${rule}`;
  const shown = typeof value === 'string' ? value.slice(0, 64) : value;
  const isPlain = shown === null || ['string', 'number', 'boolean'].includes(typeof shown);
  return isPlain ? { fields: [field], description, rejectedValue: shown } : { fields: [field], description };
}

function inside(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}
