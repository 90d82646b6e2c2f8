import type { QuoteId } from '../domain/names.ts';

/** The last ids of a lane: 64 of them span half a minute at two quotes a second. The oldest goes when a new one comes. */
const KEPT = 64;

/**
 * Remembers the ids seen lately, in memory that does not grow (I21). A ring with a short sum of each id, which is all
 * that is compared until two are the same: a set that forgets one for each that it takes costs several times as much.
 */
export class RecentIds {
  private readonly sums = new Int32Array(KEPT);
  private readonly ids: (QuoteId | undefined)[] = new Array<QuoteId | undefined>(KEPT).fill(undefined);
  private next = 0;

  /** True when the id is new here; it is remembered then. */
  add(id: QuoteId): boolean {
    const { sums, ids } = this;
    const sum = sumOf(id);
    for (let place = 0; place < KEPT; place++) if (sums[place] === sum && ids[place] === id) return false;
    sums[this.next] = sum;
    ids[this.next] = id;
    this.next = (this.next + 1) % KEPT;
    return true;
  }
}

/** FNV-1a over the characters. */
function sumOf(id: string): number {
  let sum = 0x811c9dc5;
  for (let place = 0; place < id.length; place++) sum = Math.imul(sum ^ id.charCodeAt(place), 0x01000193);
  return sum;
}
