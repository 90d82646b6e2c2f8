import { KairosError } from '#domain/errors.ts';
import type { ResolvedFigures } from '#domain/resolved-fill.ts';
import { actOf } from './act-body.ts';

/** What a person knows of an order of unknown outcome, with who and why. */
export interface ResolveAsked {
  readonly order: string;
  readonly as: 'accepted' | 'rejected';
  /** What is left out is as quoted. */
  readonly figures: ResolvedFigures;
  readonly who: string;
  readonly why: string;
}

const FIGURES = ['price', 'size', 'value', 'fee', 'feeCcy'] as const;

/** Reads `{order, as, price, size, value, fee, feeCcy, who, why}`; figures are decimals as text. Throws USAGE. */
export function resolveOf(body: unknown): ResolveAsked {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw usage('the body must be a JSON object');
  const { order, as, price, size, value, fee, feeCcy, ...by }: Readonly<Record<string, unknown>> = { ...body };
  const { who, why } = actOf('halt', by);
  if (typeof order !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(order)) throw usage('order must be the id of one');
  if (as !== 'accepted' && as !== 'rejected') throw usage('as must be accepted or rejected');
  const given = { price, size, value, fee, feeCcy };
  const figures: Partial<Record<(typeof FIGURES)[number], string>> = {};
  for (const name of FIGURES) {
    const text = given[name];
    if (text === undefined) continue;
    if (typeof text !== 'string' || text.length > 64) throw usage(`${name} must be text: decimals in quotes`);
    if (as === 'rejected') throw usage('a rejected order has no figures');
    figures[name] = text;
  }
  return { order, as, figures, who, why };
}

const usage = (text: string): KairosError => new KairosError('USAGE', text);
