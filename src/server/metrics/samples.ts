import { isLentLane } from '#domain/lane.ts';
import type { LaneRowView, MoneyView, StateView, StrategyView } from '#server/page/view.ts';

/** What is on the disks: bytes, and the wall time of the newest backup. Null: it cannot be read, or there is none. */
export interface DiskUsage {
  readonly freeBytes: ReadonlyMap<string, number | null>;
  readonly journalBytes: number;
  readonly backupAt: number | null;
}

/** What metrics are read from: the state, and what is known of the process besides. */
export interface MetricSources extends StateView {
  readonly journalBusy: boolean;
  readonly lagP99Ms: number;
  readonly pageClients: number;
  /** The kind of each resource that keeps the loop alive. */
  readonly resources: readonly string[];
  readonly listeners: number;
  readonly stored: DiskUsage;
  /** The channels of alerts, and whether each delivers. */
  readonly channels: ReadonlyMap<string, boolean>;
  /** Wall time of the watcher's last look; null where none has looked. */
  readonly watchedAt: number | null;
}

/** A value, then one text for each of the metric's `labels`, in their order. A value that is unknown (null) is not served. */
export type MetricSample = readonly [value: number | null, ...labels: string[]];

/** Reads the one value of a metric without labels, or its samples. */
export type ReadMetric = (looked: MetricSources) => number | null | readonly MetricSample[];

/** A sample for each strategy. */
export const perStrategy = (read: (strategy: StrategyView) => number) => ({
  labels: ['strategy'],
  read: ({ strategies }: MetricSources) => strategies.map((one): MetricSample => [read(one), one.id]),
});

/** A sample for each lane, but for those that are lent for one order: their names would be without number. */
export const perLane = (read: (row: LaneRowView, looked: MetricSources) => number | null) => ({
  labels: ['lane'],
  read: (looked: MetricSources) =>
    looked.lanes.flatMap((row): MetricSample[] => (isLentLane(row.lane) ? [] : [[read(row, looked), row.lane]])),
});

/** An amount in the currency of the account. */
export const inAccount = (read: (money: MoneyView) => number | null) => ({
  labels: ['currency'],
  read: ({ money }: MetricSources): readonly MetricSample[] => [[read(money), money.currency]],
});

/** How many there are of each kind, which is the label. */
export const countsOf = (label: string, kindsIn: (looked: MetricSources) => readonly string[]) => ({
  labels: [label],
  read: (looked: MetricSources) =>
    [...Map.groupBy(kindsIn(looked), (kind) => kind)].map(([kind, those]): MetricSample => [those.length, kind]),
});

/** How long a run has gone on, in milliseconds. */
export const runMs = ({ at, startedAt }: MetricSources): number => Math.max(0, Date.parse(at) - Date.parse(startedAt));

/** Milliseconds in the unit of Prometheus. */
export const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
