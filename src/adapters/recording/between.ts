import { isLentLane } from '#domain/lane.ts';
import { isoTime } from '#domain/names.ts';
import { RESTART_MS } from '#domain/utc-day.ts';
import type { Gap, LaneRecording } from './catalog.ts';

/** What a hole in all lanes is named by. */
const ALL_LANES = 'all lanes';

/**
 * Times between recordings in which none has a quote of any lane, or of a product that has quotes before and after: those that are
 * longer than a start takes. Lanes that were acquired for one order are no quotes of a product.
 */
export function gapsBetween(lanes: readonly LaneRecording[]): readonly Gap[] {
  const standing = lanes.filter(({ lane }) => !isLentLane(lane));
  const all = holesIn(standing, ALL_LANES);
  const products = [...Map.groupBy(standing, ({ product }) => product)].flatMap(([product, own]) => holesIn(own, product));
  return [...all, ...products.filter(({ from, to }) => !all.some((one) => one.from === from && one.to === to))];
}

function holesIn(lanes: readonly LaneRecording[], name: string): readonly Gap[] {
  const inTime = lanes.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
  const holes: Gap[] = [];
  let [last] = inTime;
  for (const next of inTime) {
    if (!last) continue;
    const begin = Date.parse(next.from) - next.barMs;
    const ms = begin - Date.parse(last.to);
    if (ms > RESTART_MS)
      holes.push({ run: `${last.run} to ${next.run}`, lane: name, from: last.to, to: isoTime(begin), seconds: ms / 1000 });
    if (Date.parse(next.to) > Date.parse(last.to)) last = next;
  }
  return holes;
}
