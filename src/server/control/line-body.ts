import { KairosError } from '#domain/errors.ts';
import { actOf } from './act-body.ts';

/** A line of the schedule that a person wants now, with who and why. */
export interface LineAsked {
  readonly name: string;
  readonly who: string;
  readonly why: string;
}

/** Reads `{name, who, why}`. Throws USAGE. */
export function lineOf(body: unknown): LineAsked {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new KairosError('USAGE', 'the body must be a JSON object');
  const { name, ...by }: Readonly<Record<string, unknown>> = { ...body };
  const { who, why } = actOf('halt', by);
  if (typeof name !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$/.test(name)) {
    throw new KairosError('USAGE', 'name must be that of a line of the schedule');
  }
  return { name, who, why };
}
