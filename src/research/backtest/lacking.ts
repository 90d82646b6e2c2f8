import { isoTime, type Millis } from '#domain/names.ts';
import { nearest } from '#domain/nearest.ts';
import type { BacktestData } from './data.ts';
import type { PlayedTime } from './one-source.ts';

/** That some products have no quote in the time that was asked for, with what the recording holds, and from when to when. */
export function lackingText(
  { path, spans: read, otherSource }: Pick<BacktestData, 'path' | 'spans' | 'otherSource'>,
  products: string,
  time: PlayedTime,
): string {
  const spans = new Map<string, readonly [first: Millis, last: Millis]>();
  const add = (product: string, [from, to]: readonly [Millis, Millis]): void => {
    const [first, last] = spans.get(product) ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    spans.set(product, [Math.min(first, from), Math.max(last, to)]);
  };
  for (const { product, from, to } of [...read, ...otherSource]) add(product, [from, to]);
  const held = [...spans].map(([product, [first, last]]) => `${product} from ${isoTime(first)} to ${isoTime(last)}`);
  const meant = products.split(', ').flatMap((product) => (spans.has(product) ? [] : (nearest(product, spans.keys(), 1) ?? [])));
  const hint = meant.length === 0 ? '' : ` (did you mean ${meant.join(' and ')}?)`;
  return `${path} holds no quotes of ${products}${hint}${timeText(time)}; it holds ${held.length === 0 ? 'none at all' : held.join(', ')}`;
}

function timeText({ from, to }: PlayedTime): string {
  if (from === undefined) return to === undefined ? '' : ` before ${isoTime(to)}`;
  return to === undefined ? ` from ${isoTime(from)} on` : ` from ${isoTime(from)} to ${isoTime(to)}`;
}
