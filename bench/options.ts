import { parseArgs } from 'node:util';

export const BENCHES = [
  'decode',
  'journal',
  'recover',
  'replay',
  'start',
  'live',
  'risk',
  'refusals',
  'stop',
  'webhooks',
  'page',
  'import',
  'recording',
  'sweep',
  'comparison',
] as const;
export type BenchName = (typeof BENCHES)[number];

export interface BenchOptions {
  /** What is measured, in this order. */
  readonly only: readonly BenchName[];
  /** Lane counts of the live part. */
  readonly lanes: readonly number[];
  /** Fewer and shorter rounds: to see that it works, not to quote. */
  readonly quick: boolean;
}

export const USAGE = `npm run bench -- [--quick] [--only NAME[,NAME]] [--lanes N[,N]]
  --quick        fewer and shorter rounds: to see that it works, not to quote
  --only NAME    one or some of ${BENCHES.join(', ')}
  --lanes N      lane counts of the live part, 1 to 1000; 1,100 unless given`;

/** Thrown for arguments that cannot be understood; its message is for the terminal. */
export class UsageError extends Error {}

const MAX_LANES = 1000;

/** Reads the command line. Throws a UsageError that says what is wrong. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { only, lanes, quick } = parsed(args);
  return {
    only: only === undefined ? BENCHES : listOf(only).map(benchNamed),
    lanes: lanes === undefined ? [1, 100] : listOf(lanes).map(laneCount),
    quick: quick ?? false,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { only: { type: 'string' }, lanes: { type: 'string' }, quick: { type: 'boolean' } },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const listOf = (text: string): string[] => text.split(',').map((part) => part.trim());

function benchNamed(text: string): BenchName {
  const found = BENCHES.find((name) => name === text);
  if (found === undefined) throw new UsageError(`--only ${text}: there are ${BENCHES.join(', ')}`);
  return found;
}

function laneCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_LANES) return count;
  throw new UsageError(`--lanes ${text}: must be a whole number from 1 to ${MAX_LANES}`);
}
