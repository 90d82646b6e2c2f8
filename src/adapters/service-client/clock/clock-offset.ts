/**
 * An answer of the service that carried an HTTP `Date`: the whole second, in Unix milliseconds, and when the request
 * left and the answer came, in monotonic milliseconds.
 */
export interface DateSample {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly dateMs: number;
}

/** What is added to monotonic milliseconds to have the service's time: the middle, and how far the truth may be from it. */
export interface OffsetBound {
  readonly offsetMs: number;
  readonly halfWidthMs: number;
}

/** The largest rate at which the two clocks may part while nothing is known of it: 1 % (F56). */
const MAX_RATE = 0.01;
/** How far a rate, once bounded by samples, may wander from what they say: 200 ppm. */
const WANDER = 0.0002;
const MAX_SAMPLES = 30;
const OLDEST_MS = 15 * 60_000;
/** Samples in a row that must agree after some did not (F58). */
const AGREEING = 10;
/** Figures are doubles near 1e12. */
const ROUNDING_MS = 0.01;

/** A sample as a bound: at `at` the offset was from `low` to `high`. */
interface Constraint {
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

/** A constraint seen from another instant: `gapMs` after it, and wider by what a rate may have wandered since. */
interface ShiftedConstraint {
  readonly gapMs: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Bounds the service's clock from HTTP dates. A date d seen between t0 and t1 puts the offset in (d - t1, d + 1 s - t0).
 * Samples are held together by a line: an offset that moves at one unknown rate of at most 1 %, which the samples bound
 * by and by, give or take a little wandering. Where no line fits, the samples contradict each other: all but the newest
 * are dropped, and nothing is said until ten in a row agree. Pure: whoever asks brings the monotonic time.
 */
export class ClockOffset {
  private constraints: Constraint[] = [];
  private stillToAgree = 0;

  /** Takes a sample in; false when it contradicts those before it. */
  add({ sentMs, receivedMs, dateMs }: DateSample): boolean {
    const during = MAX_RATE * (receivedMs - sentMs);
    const newest = { at: receivedMs, low: dateMs - receivedMs - during, high: dateMs + 1000 - sentMs + during };
    this.constraints = [...this.constraints.slice(1 - MAX_SAMPLES).filter(({ at }) => at > receivedMs - OLDEST_MS), newest];
    if (rates(this.seenFrom(receivedMs)) !== undefined) {
      this.stillToAgree = Math.max(0, this.stillToAgree - 1);
      return true;
    }
    this.constraints = [newest];
    this.stillToAgree = AGREEING - 1;
    return false;
  }

  /** Forgets all samples: the clocks may have jumped. Not that they contradicted each other: ten in a row must agree all the same. */
  reset(): void {
    this.constraints = [];
    if (this.isSplit) this.stillToAgree = AGREEING;
  }

  /** True while samples have contradicted each other and not enough have agreed since. */
  get isSplit(): boolean {
    return this.stillToAgree > 0;
  }

  /** When the newest sample came; undefined before the first. */
  get newestMs(): number | undefined {
    return this.constraints.at(-1)?.at;
  }

  /** What the samples say at an instant behind the newest, whether they have agreed for long enough or not; for aiming the next one. */
  guess(atMs: number): OffsetBound | undefined {
    const seen = this.seenFrom(atMs);
    const possible = rates(seen);
    if (seen.length === 0 || possible === undefined) return undefined;
    // Behind all samples a higher rate lifts both edges.
    const [low, high] = [lowEdge(seen, possible.least), highEdge(seen, possible.most)];
    return { offsetMs: (low + high) / 2, halfWidthMs: Math.max(0, high - low) / 2 };
  }

  /** A bound that holds from one instant behind the newest sample to another; undefined before the first sample and while they disagree. */
  bound(fromMs: number, toMs: number): OffsetBound | undefined {
    const first = this.isSplit ? undefined : this.guess(fromMs);
    const last = first && this.guess(toMs);
    if (!first || !last) return undefined;
    const low = Math.min(first.offsetMs - first.halfWidthMs, last.offsetMs - last.halfWidthMs);
    const high = Math.max(first.offsetMs + first.halfWidthMs, last.offsetMs + last.halfWidthMs);
    return { offsetMs: (low + high) / 2, halfWidthMs: (high - low) / 2 };
  }

  private seenFrom(atMs: number): readonly ShiftedConstraint[] {
    return this.constraints.map(({ at, low, high }) => {
      const gapMs = atMs - at;
      const wandered = WANDER * Math.abs(gapMs);
      return { gapMs, low: low - wandered, high: high + wandered };
    });
  }
}

interface Rates {
  readonly least: number;
  readonly most: number;
}

/** The rates for which some line passes through all bounds; undefined when there is none. */
function rates(seen: readonly ShiftedConstraint[]): Rates | undefined {
  let least = -MAX_RATE;
  let most = MAX_RATE;
  for (const under of seen) {
    for (const over of seen) {
      const room = over.high - under.low + ROUNDING_MS;
      const apartMs = under.gapMs - over.gapMs;
      if (apartMs > 0) most = Math.min(most, room / apartMs);
      else if (apartMs < 0) least = Math.max(least, room / apartMs);
      else if (room < 0) return undefined;
    }
  }
  return least <= most ? { least, most } : undefined;
}

function lowEdge(seen: readonly ShiftedConstraint[], rate: number): number {
  let edge = Number.NEGATIVE_INFINITY;
  for (const { gapMs, low } of seen) edge = Math.max(edge, low + rate * gapMs);
  return edge;
}

function highEdge(seen: readonly ShiftedConstraint[], rate: number): number {
  let edge = Number.POSITIVE_INFINITY;
  for (const { gapMs, high } of seen) edge = Math.min(edge, high + rate * gapMs);
  return edge;
}
