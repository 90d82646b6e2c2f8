import { readScript } from '#assembly/script-options.ts';

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
  'backtest',
  'first-paint',
  'import',
  'recording',
  'bundle',
  'sweep',
  'screen',
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

const SCRIPT = {
  name: 'bench',
  does: 'measures, one part after the other',
  options: {
    quick: { type: 'boolean', says: 'fewer and shorter rounds: to see that it works, not to quote' },
    only: { type: 'string', value: 'NAME,NAME', says: `one or some of ${BENCHES.join(', ')}` },
    lanes: { type: 'string', value: 'COUNT,COUNT', says: 'lane counts of the live part, 1 to 1000; 1,100 without it' },
  },
} as const;

/** Thrown for arguments that cannot be understood; its message is for the terminal. */
export class UsageError extends Error {
  /** True for the usage that was asked for. */
  readonly isHelp: boolean;

  constructor(message: string, isHelp = false) {
    super(message);
    this.isHelp = isHelp;
  }
}

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
  const read = readScript(SCRIPT, args);
  if ('values' in read) return read.values;
  throw new UsageError('help' in read ? read.help : read.wrong, 'help' in read);
}

const listOf = (text: string): string[] => text.split(',').map((part) => part.trim());

function benchNamed(text: string): BenchName {
  const found = BENCHES.find((name) => name === text);
  if (found === undefined) throw new UsageError(`npm run bench: --only ${text}: there are ${BENCHES.join(', ')}`);
  return found;
}

function laneCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_LANES) return count;
  throw new UsageError(`npm run bench: --lanes ${text}: must be a whole number from 1 to ${MAX_LANES}`);
}
