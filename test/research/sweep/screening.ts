import { Screen } from '#research/sweep/screen.ts';
import type { StudyBase, StudyOptions } from '#research/sweep/study.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { playTrial } from '#research/sweep/sweep-trial.ts';
import { strategyYaml } from '../../config/support.ts';
import type { SyntheticOptions } from '../../support/synthetic-recording.ts';
import { type Bench, bench } from '../backtest/session-bench.ts';
import { playing, studyOf } from './study.ts';

export type Alter = NonNullable<ConstructorParameters<typeof Screen>[1]>;

/** Plays trials in this thread, the screen with a fault that is planted in it; by several screens in turn, as threads would. */
export const screening =
  (alter?: Alter, count = 1): NonNullable<StudyOptions['players']> =>
  (base) => {
    const screens = Array.from({ length: count }, () => new Screen(base, alter));
    return Promise.resolve({
      play: async ({ jobs, way, onResults, onUnequal }) => {
        for (const [n, job] of jobs.entries()) {
          const screen = screens[n % count] ?? new Screen(base, alter);
          const { result, unequal } =
            way === 'both'
              ? await screen.replay(job)
              : { result: await (way === 'screen' ? screen.play(job) : playTrial(base, job)), unequal: null };
          if (unequal) onUnequal?.(unequal);
          onResults([result]);
        }
      },
      close: () => Promise.resolve(),
    });
  };

export const WIDE = 'maxLossStreakOfAll: off, maxDayLoss: { usd: 5000 }, maxDrawdownPct: 60';

export interface Case {
  readonly use?: 'sma-cross' | 'ema-cross';
  readonly latency?: number | string;
  readonly exits?: string;
  readonly losses?: string;
  /** A further strategy, as of a line of `strategies`. */
  readonly second?: string;
  readonly more?: string;
  readonly recording?: Partial<SyntheticOptions>;
}

export const RECORDING: Partial<SyntheticOptions> = { seconds: 300, volatility: 3, silent: [125, 145] };

export const benchOf = ({
  use = 'sma-cross',
  latency = 250,
  exits,
  losses = 'maxLossStreak: off',
  second,
  more = '',
  recording = {},
}: Case) => {
  const strategies = `${strategyYaml({ use, ...(exits !== undefined && { exits }) })}${second === undefined ? '' : `  - { ${second} }\n`}`;
  const yaml = `${strategies}risk: { ${losses}, ${WIDE} }\nbacktest: { latency: ${latency} }\n${more}`;
  return bench(yaml, { ...RECORDING, ...recording });
};

export const OPTIONS = { random: undefined, seed: '1', by: 'netProfit' } as const;
export const VARY = ['one.fast=2..8:2', 'one.slow=15..55:10'];

export const screened = async (
  of: Case,
  { vary = VARY, ...options }: { readonly vary?: readonly string[] } & Partial<StudyOptions> = {},
) => {
  const study = await studyOf(benchOf(of), { players: screening(), screen: true, ...options });
  const result = await sweep(study, { ...OPTIONS, vary }, playing());
  return { study, result };
};

/** A study, and a screen of its own. */
export const screenOf = (of: Case) => screenOver(benchOf(of));

/** The same of a bench, over its recording or other data. */
export async function screenOver(of: Bench, data?: string) {
  let base: StudyBase | undefined;
  const players: StudyOptions['players'] = (given) => {
    base = given;
    return screening()(given);
  };
  const study = await studyOf(of, { players, data });
  if (!base) throw new Error('a study opens its players');
  return { study, screen: new Screen(base) };
}
