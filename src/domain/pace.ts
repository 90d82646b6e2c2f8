/** The compiler makes trials faster for this long: before, their pace says too little. */
const WARM_MS = 10_000;

/** What is seen in a row lies so far apart, as a share of all that is done. */
const SEEN_STEP = 0.05;

/** The time left of work, by the pace of the later half of what is done: the first of it reads, compiles and warms up. */
export class Pace {
  private readonly seen: { readonly share: number; readonly atMs: number }[] = [];
  private readonly least: number;

  /** `least`: the share to be done before its pace says something. */
  constructor(least = 0) {
    this.least = least;
  }

  /** Undefined in the first ten seconds, while nothing or too little is done, and when all is. */
  leftMs(share: number, atMs: number): number | undefined {
    const { seen } = this;
    const [first = { share, atMs }] = seen;
    if (share - (seen.at(-1)?.share ?? -1) > SEEN_STEP * (share - first.share)) seen.push({ share, atMs });
    const half = first.share + (share - first.share) / 2;
    const from = seen.findLast((one) => one.share <= half) ?? first;
    return atMs < WARM_MS || share - first.share < this.least || share <= from.share || share >= 1
      ? undefined
      : ((atMs - from.atMs) * (1 - share)) / (share - from.share);
  }
}
