import { seeded } from '#domain/seeded.ts';
import type { Branches } from './instrument.ts';
import { mutated } from './mutate.ts';
import type { FuzzTarget } from './target.ts';

/** What a campaign did. */
export interface Fuzzed {
  readonly runs: number;
  readonly branches: { readonly of: number; readonly ran: number };
  /** Inputs that reached what none before them did, beyond those that it began with. */
  readonly found: readonly Uint8Array[];
}

/** An input that broke its target. */
export class Broken extends Error {
  readonly input: Uint8Array;

  constructor(input: Uint8Array, cause: unknown) {
    super(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause), { cause });
    this.input = input;
  }
}

/** CPU time of this thread that one input may take, in microseconds. */
const MAX_CPU_US = 5_000_000;

/**
 * Tries `begin` and the seeds of the target, then mutations of whatever reached a branch that nothing reached before, until `isOver`.
 * The same seed tries the same inputs. Throws Broken.
 */
export async function fuzz(target: FuzzTarget, { seed, branches, begin, before, isOver }: FuzzOptions): Promise<Fuzzed> {
  const random = seeded(`${target.name} ${seed}`);
  const corpus: Uint8Array[] = [];
  const found: Uint8Array[] = [];
  let runs = 0;
  const reachesMore = async (input: Uint8Array): Promise<boolean> => {
    before(input);
    branches.clear();
    const from = process.threadCpuUsage();
    try {
      await target.check(Buffer.from(input));
    } catch (error) {
      throw new Broken(input, error);
    }
    runs += 1;
    const { user } = process.threadCpuUsage(from);
    if (user > MAX_CPU_US) throw new Broken(input, new Error(`broken: it took ${Math.round(user / 1000)} ms`));
    return branches.fresh() > 0;
  };
  for (const input of [...target.seeds.map((one) => Buffer.from(one)), ...begin]) {
    await reachesMore(input);
    corpus.push(input);
  }
  while (!isOver(runs)) {
    // What was found last is most likely to lead on.
    const late = random.next() < 0.5 ? Math.max(0, corpus.length - 20) : 0;
    const from = corpus[late + Math.floor(random.next() * (corpus.length - late))] ?? Buffer.alloc(0);
    const input = mutated(from, { random, others: corpus, words: target.words ?? [], most: target.most ?? 4_096 });
    if (!(await reachesMore(input))) continue;
    corpus.push(input);
    found.push(input);
  }
  return { runs, branches: branches.reached, found };
}

export interface FuzzOptions {
  readonly seed: string;
  readonly branches: Branches;
  readonly begin: readonly Uint8Array[];
  /** Told each input before it is tried, so that what hangs or kills is known. */
  readonly before: (input: Uint8Array) => void;
  readonly isOver: (runs: number) => boolean;
}
