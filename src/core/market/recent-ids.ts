import type { QuoteId } from '#domain/names.ts';

/** The last ids of a lane: 64 of them span half a minute at two quotes a second. The oldest goes when a new one comes. */
const KEPT = 64;
/** Characters at the end of an id that its sum is made of. Ids that differ before them alone are told apart all the same. */
const SUMMED = 4;
/** Sums are told apart by so many bits before any id is looked at: that leaves one look in sixteen. */
const TOLD_APART = 1023;

/**
 * Remembers the ids seen lately, in memory that does not grow (I21). A ring with a short sum of each id, and how many of
 * them have which last bits in it: where none has, the id is new and none is looked at.
 */
export class RecentIds {
  private readonly sums = new Int32Array(KEPT);
  private readonly ids: (QuoteId | undefined)[] = new Array<QuoteId | undefined>(KEPT).fill(undefined);
  private readonly counts = new Uint8Array(TOLD_APART + 1);
  private next = 0;

  constructor() {
    this.counts[0] = KEPT;
  }

  /** True when the id is new here; it is remembered then. */
  add(id: QuoteId): boolean {
    const { sums, ids, counts, next } = this;
    const sum = sumOf(id);
    const bits = sum & TOLD_APART;
    if (counts[bits] !== 0) for (let place = 0; place < KEPT; place++) if (sums[place] === sum && ids[place] === id) return false;
    const oldest = (sums[next] ?? 0) & TOLD_APART;
    counts[oldest] = (counts[oldest] ?? 0) - 1;
    counts[bits] = (counts[bits] ?? 0) + 1;
    sums[next] = sum;
    ids[next] = id;
    this.next = (next + 1) & (KEPT - 1);
    return true;
  }
}

/** FNV-1a over the last characters. */
function sumOf(id: string): number {
  let sum = 0x811c9dc5;
  for (let place = Math.max(0, id.length - SUMMED); place < id.length; place++) sum = Math.imul(sum ^ id.charCodeAt(place), 0x01000193);
  return sum;
}
