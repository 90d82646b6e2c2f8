import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS } from '#config/keys.ts';
import { type LoadedConfig, loadConfig } from '#config/load.ts';

/** A strategy as it would stand in a configuration file. */
export interface BenchStrategy {
  readonly id: string;
  readonly use: string;
  readonly product: string;
  readonly amount: { readonly base: number } | { readonly quote: number };
  readonly exits?: Readonly<Record<string, number>>;
  readonly params?: Readonly<Record<string, number>>;
}

const MUCH = { usd: 1e9 };

/** Limits so wide that every check is made and none refuses; those that this Kairos has no setting for are left out. */
const WIDE: Readonly<Record<string, unknown>> = {
  maxOrderValue: MUCH,
  maxPositionValue: MUCH,
  maxExitValue: MUCH,
  maxStrategyValue: MUCH,
  maxTotalValue: MUCH,
  maxDayValue: MUCH,
  maxDayLoss: MUCH,
  maxDrawdownPct: 99,
  maxOrdersPerMinute: 1_000_000,
  maxOrdersPerMinuteOfStrategy: 1_000_000,
  maxOrdersPerMinuteOfProduct: 1_000_000,
  maxSpreadPct: 50,
  maxSlippagePct: 50,
  maxFeePct: 50,
  collarPct: 50,
  minTimeLeftMs: 250,
  duplicateWindowMs: 'off',
  maxRejectionStreak: 1_000_000,
  maxLossStreak: 'off',
  maxLossStreakOfAll: 'off',
};

/** The configuration of a run in `folder` against the service at `baseUrl`; its files go into `folder`. */
export function benchConfig(options: {
  readonly folder: string;
  readonly baseUrl: string | null;
  /** As whom to connect; without, as the paper user. */
  readonly user?: string;
  /** Connections kept for amounts without a lane. */
  readonly reserve?: number;
  readonly strategies: readonly BenchStrategy[];
}): LoadedConfig {
  const { folder } = options;
  return loadConfig({ files: [writeConfig(options)], env: {}, cwd: folder, isVenue: true });
}

/** Writes that configuration to a file and returns its path. JSON is YAML. */
export function writeConfig({ folder, baseUrl, user, reserve, strategies }: Parameters<typeof benchConfig>[0]): string {
  const risk = Object.fromEntries(Object.entries(WIDE).filter(([name]) => name in KEYS.risk));
  const file = join(folder, 'kairos.yaml');
  const settings = {
    ...(baseUrl !== null && { service: { baseUrl, ...(user !== undefined && { userId: user }) } }),
    strategies: strategies.map((strategy) => ({ ...strategy, budget: MUCH })),
    risk,
    lanes: { opensPerSecond: 1000, max: 2000, ...(reserve !== undefined && { reserve }) },
    journal: { path: join(folder, 'kairos.db') },
    recording: { dir: join(folder, 'recordings') },
    venue: { database: ':memory:' },
  };
  writeFileSync(file, JSON.stringify(settings, null, 2));
  return file;
}
