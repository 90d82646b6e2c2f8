import { figureIn } from '#adapters/service/figures.ts';
import type { BookLevel } from '#domain/indicative-quote.ts';
import { isFields } from './decode-quote.ts';

const MAX_LEVELS = 1000;

/** Names under which a level may have its price and its size; the specification shows none (2.8). */
const PRICES = ['price', 'rate', 'px', 'p'] as const;
const SIZES = ['size', 'quantity', 'qty', 'amount', 'volume', 'sz', 'q', 's'] as const;

/**
 * The levels of one side of a full quote, for display: objects with a price and a size under any usual name, or pairs of the two, as
 * numbers or texts. Null where it is no list, or a level says neither.
 */
export function levelsIn(value: unknown): BookLevel[] | null {
  if (!Array.isArray(value)) return null;
  const levels: BookLevel[] = [];
  for (const level of value.slice(0, MAX_LEVELS)) {
    const price = figureIn(partOf(level, 0, PRICES));
    const size = figureIn(partOf(level, 1, SIZES));
    if (!(price > 0 && size >= 0)) return null;
    levels.push({ price, size });
  }
  return levels;
}

function partOf(level: unknown, place: number, names: readonly string[]): unknown {
  if (Array.isArray(level)) return level[place];
  if (!isFields(level)) return undefined;
  const name = names.find((one) => level[one] !== undefined && level[one] !== null);
  return name === undefined ? undefined : level[name];
}
