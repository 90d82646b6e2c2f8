import path from 'node:path';
import { ROOT } from '../../support/root.ts';

export type TripName = 'quote to order' | 'answer to books' | 'quiet quote';

/** Functions entered, by file of `src`. */
export type Trip = Readonly<Record<string, readonly string[]>>;

export const PAGE = path.join(ROOT, 'docs/explanation/life-of-an-order.md');

/** Where the page has them. */
export const BLOCK = /(?<=<!-- example: made by npm run trips -->\n```\n)[^`]*(?=```)/;

/** Files by room; of the later trips those that no earlier one has. */
export function listOf(trips: Readonly<Record<TripName, Trip>>): string {
  const seen = new Set<string>();
  const lines = Object.entries(trips).flatMap(([name, trip]) => {
    const rooms = new Map<string, string[]>();
    for (const file of Object.keys(trip).filter((one) => !seen.has(one))) {
      const room = path.dirname(file);
      rooms.set(room, [...(rooms.get(room) ?? []), path.basename(file, '.ts')]);
      seen.add(file);
    }
    return rooms.size === 0 ? [] : [`${name}:`, ...[...rooms].map(([room, files]) => `  ${room}/  ${files.join(' ')}`)];
  });
  return `${lines.join('\n')}\n`;
}
