import { KairosError } from '#domain/errors.ts';
import { actOf } from './act-body.ts';

/** A notification that a person accepts, with who and why. */
export interface AcceptAsked {
  readonly id: string;
  readonly who: string;
  readonly why: string;
}

/** Reads `{id, who, why}`. Throws USAGE. */
export function acceptOf(body: unknown): AcceptAsked {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new KairosError('USAGE', 'the body must be a JSON object');
  const { id, ...by }: Readonly<Record<string, unknown>> = { ...body };
  const { who, why } = actOf('halt', by);
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(id)) throw new KairosError('USAGE', 'id must be that of a notification');
  return { id, who, why };
}
