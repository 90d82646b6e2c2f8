import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { Screen } from '#research/sweep/screen.ts';
import { Study, type StudyBase } from '#research/sweep/study.ts';
import type { BenchOptions } from './options.ts';
import type { SweepMeasured } from './replay-sweep-child.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { benchConfig } from './settings.ts';
import { benchTicks } from './ticks.ts';

const CHILD = fileURLToPath(new URL('./replay-sweep-child.ts', import.meta.url));
const LOOPS = fileURLToPath(new URL('./idle-loops-child.ts', import.meta.url));

type Params = Readonly<Record<string, number | boolean>>;

/** Shipped strategies that can be screened, and the setting of each of a thousand trials; each draws on 25 columns by 40. */
const USES: Readonly<Record<string, (n: number) => Params>> = {
  'sma-cross': (n) => ({ fast: 10 + 8 * (n % 25), slow: 220 + 20 * Math.floor(n / 25) }),
  'ema-cross': (n) => ({ fast: 10 + 8 * (n % 25), slow: 220 + 20 * Math.floor(n / 25) }),
  'rsi-reversion': (n) => ({ barSeconds: 60 * (1 + (n % 25)), bars: 5 + Math.floor(n / 25), oversold: 35, overbought: 65 }),
  'coin-flip': (n) => ({ seed: n, everySeconds: 600 }),
  grid: (n) => ({ stepPct: 0.02 + n / 10_000, levels: 1, follow: true }),
};
const ALL = 1_000;
/** Signals of these are not shared: fewer trials tell as much. */
const FEW: ReadonlySet<string> = new Set(['coin-flip', 'grid']);

/**
 * Screened trials beside one typed pass over the same columns, and beside the same trials by the engine, by CPU time; and what a second
 * thread brings, beside what it brings to an empty loop. Columns that trials share are in it.
 */
export async function benchScreen({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const { trials, exact, long, spins, passesMs } = quick
    ? { trials: 10, exact: 1, long: 1, spins: 1e7, passesMs: 30 }
    : { trials: ALL, exact: 3, long: 2_000, spins: 2e9, passesMs: 300 };
  return inScratch(async (folder) => {
    const ticks = await benchTicks(folder, quick);
    const measured: ScreenFigures[] = [];
    for (const use of Object.keys(USES))
      measured.push(await trialsOf(use, { folder, trials: FEW.has(use) ? Math.ceil(trials / 50) : trials, exact, passesMs }));
    const child = (file: string, ...given: readonly (string | number)[]): number => {
      const told: SweepMeasured | number = JSON.parse(execFileSync(process.execPath, [file, ...given.map(String)], { encoding: 'utf8' }));
      return typeof told === 'number' ? told : told.ms;
    };
    const gain = (label: string, one: number, two: number): Figure => ({ label, value: one / two, unit: 'x one' });
    const [first] = measured;
    const ms = (label: string, value: number): Figure => ({ label, value, unit: 'ms' });
    return {
      name: `screen, ${ticks.name}`,
      ratios: [
        ...measured.flatMap((of) => [
          ratioOf(`${of.use}, a screened trial with its share of columns beside a typed pass`, {
            ours: ms(`${of.screened} of ${of.trials} trials`, of.screenedMs),
            theirs: ms('two running sums', of.passMs),
            ...(of === first && { goal: { atMost: 1 } }),
          }),
          ratioOf(`${of.use}, a screened trial beside the engine's`, {
            ours: ms('screened', of.screenedMs),
            theirs: ms('by the engine', of.exactMs),
            ...(of === first && { goal: { atMost: 1 / 250 } }),
          }),
          ...(of === first || !first
            ? []
            : [
                ratioOf(`${of.use} beside ${first.use}`, {
                  ours: ms(of.use, of.screenedMs),
                  theirs: ms(first.use, first.screenedMs),
                  goal: { atMost: 3 },
                }),
              ]),
        ]),
        ratioOf(`two threads, ${long} screened trials`, {
          ours: gain('2 threads', child(CHILD, folder, long, 1, 'screen'), child(CHILD, folder, long, 2, 'screen')),
          theirs: gain('2 empty loops', 2 * child(LOOPS, spins, 1), child(LOOPS, spins, 2)),
          goal: { atLeast: 0.9 },
        }),
      ],
      figures: measured.flatMap(({ use, fills, screened, trials: of, both, left }) => [
        { label: `${use}: trials that both played, each fill and figure equal`, value: both, unit: 'trials' },
        { label: `${use}: fills of ${screened} screened trials of ${of}`, value: fills, unit: 'fills' },
        ...[...left].map(([why, value]) => ({ label: `${use}: left to the engine, in no ratio: ${why}`, value, unit: 'trials' })),
      ]),
    };
  });
}

interface ScreenFigures {
  readonly use: string;
  readonly trials: number;
  readonly screenedMs: number;
  readonly exactMs: number;
  readonly passMs: number;
  readonly fills: number;
  readonly screened: number;
  /** Trials that both have played. One that differs ends the bench. */
  readonly both: number;
  /** Trials that the engine alone has played, by why. */
  readonly left: ReadonlyMap<string, number>;
}

interface Of {
  readonly folder: string;
  readonly trials: number;
  readonly exact: number;
  /** How long the typed pass is made again and again. */
  readonly passesMs: number;
}

async function trialsOf(use: string, { folder, trials, exact, passesMs }: Of): Promise<ScreenFigures> {
  const config = benchConfig({ folder, baseUrl: null, strategies: [{ id: 'one', use, product: 'eurusd', amount: { base: 1000 } }] });
  const bases: StudyBase[] = [];
  const study = await Study.open({
    config,
    folders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
    data: join(folder, 'ticks'),
    from: undefined,
    to: undefined,
    players: (base) => {
      bases.push(base);
      return Promise.resolve({ play: () => Promise.resolve(), close: () => {} });
    },
  });
  const [base] = bases;
  const [columns] = study.session.columns;
  if (!base || !columns) throw new Error('no ticks');
  const jobs = Array.from({ length: trials }, (_, n) => study.job({ one: USES[use]?.(Math.floor((n * ALL) / trials)) ?? {} }));
  const screen = new Screen(base);
  // The first is the engine's.
  for (const job of jobs.slice(-1)) await screen.play(job);
  let [fills, screened, spentMs] = [0, 0, 0];
  const left = new Map<string, number>();
  for (const job of jobs) {
    const from = cpuMs();
    const result = await screen.play(job);
    if (result.screened) {
      spentMs += cpuMs() - from;
      fills += result.fills;
      screened += 1;
    } else left.set(result.unscreened ?? 'failed', (left.get(result.unscreened ?? 'failed') ?? 0) + 1);
  }
  const screenedMs = Math.max(spentMs, STEP_MS) / Math.max(1, screened);
  const exactMs: number[] = [];
  let both = 0;
  for (let n = 0; n <= exact; n++) {
    const [job] = jobs.slice(Math.floor(((n + 0.5) * jobs.length) / (exact + 1)));
    if (!job) continue;
    const began = cpuMs();
    const { result, unequal } = await screen.replay(job);
    if (unequal !== null) throw new Error(`${use}: the screen and the engine differ in ${unequal.what} of ${JSON.stringify(job.params)}`);
    // The first warms the engine.
    if (n > 0) exactMs.push(Math.max(cpuMs() - began, STEP_MS));
    if (result.unscreened === undefined) both += 1;
  }
  const passMs = passedMs(columns, passesMs);
  await study.close();
  const exactOne = exactMs.reduce((sum, one) => sum + one, 0) / exactMs.length;
  return { use, trials, screenedMs, exactMs: exactOne, passMs, fills, screened, both, left };
}

/** The clock of the processor may go in steps of so much. */
const STEP_MS = 10;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How long one pass takes: of so many that the clock of the processor, which goes in steps, can tell. */
function passedMs(columns: QuoteColumns, forMs: number): number {
  pass(columns);
  const from = cpuMs();
  let passes = 0;
  while (cpuMs() - from < forMs) {
    pass(columns);
    passes += 1;
  }
  return (cpuMs() - from) / passes;
}

/** Two averages of the mid by running sums: how often one is above the other. */
function pass({ buy, sell, length }: QuoteColumns): number {
  let [a, b, above] = [0, 0, 0];
  const mid = (row: number): number => (row < 0 ? 0 : ((buy.price[row] ?? 0) + (sell.price[row] ?? 0)) / 2);
  for (let row = 0; row < length; row++) {
    a += mid(row) - mid(row - 200);
    b += mid(row) - mid(row - 600);
    if (row >= 599 && a / 200 > b / 600) above += 1;
  }
  return above;
}
