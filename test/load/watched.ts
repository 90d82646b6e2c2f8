import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds at one time. */
export interface Held {
  /** Megabytes in memory. */
  readonly rssMb: number;
  /** Open files, sockets and pipes. */
  readonly descriptors: number;
  readonly threads: number;
}

/** Linux alone tells it from outside. */
export const CAN_WATCH = process.platform === 'linux';

export function heldBy(pid: number): Held {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const figure = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return { rssMb: figure('VmRSS') / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length, threads: figure('Threads') };
}

/** The figures of `GET /metrics`, by name; those with labels are added up, of a summary its 0.99 quantile is taken. */
export async function metricsOf(page: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${page}/metrics`)).text();
  const found = new Map<string, number>();
  for (const [, name = '', labels = '', value = ''] of text.matchAll(/^(\w+)(\{[^}]*\})? (\S+)$/gm)) {
    if (labels.includes('quantile=') && !labels.includes('quantile="0.99"')) continue;
    found.set(name, (found.get(name) ?? 0) + Number(value));
  }
  return found;
}

/** What a daemon holds within, by its own account: timers, what else keeps its loop going, and listeners on its process. */
export interface HeldWithin {
  /** Without the two of each lane that is quoted: of its connection and of its quotes. */
  readonly timers: number;
  readonly handles: number;
  readonly listeners: number;
  /** Lanes that are quoted. */
  readonly quoted: number;
}

export const heldWithin = async (page: string): Promise<HeldWithin> => heldIn(await (await fetch(`${page}/metrics`)).text());

/** The same by the text of `GET /metrics`. */
export function heldIn(metrics: string): HeldWithin {
  const resources = [...metrics.matchAll(/^kairos_active_resources\{[^}]*kind="(\w+)"[^}]*\} (\d+)$/gm)];
  const sum = (of: (kind: string) => boolean): number =>
    resources.reduce((all, [, kind = '', count = '']) => all + (of(kind) ? Number(count) : 0), 0);
  const isTimer = (kind: string): boolean => kind === 'Timeout' || kind === 'Immediate';
  const listeners = Number(/^kairos_process_listeners (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
  const quoted = Number(/^kairos_lanes\{[^}]*phase="acked"[^}]*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  return { timers: sum(isTimer) - 2 * quoted, handles: sum((kind) => !isTimer(kind)), listeners, quoted };
}

/** Above this it was no load that was borne: descriptors, timers or handles on top of those after warming up. */
export const MAX_MORE = 12;

/** True where there are more timers than the lanes account for that are not quoted now: each of those may have one, and may be quoted unheard. */
export const hasMoreTimers = (begun: HeldWithin, ended: HeldWithin, lanes: number): boolean =>
  ended.timers - begun.timers > MAX_MORE + 2 * Math.max(0, lanes - ended.quoted);

export const middle = (figures: readonly number[]): number => [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;

/** The last third over the first, by their middles: 1 is flat. */
export function driftOf(figures: readonly number[]): number {
  const third = Math.max(1, Math.floor(figures.length / 3));
  return middle(figures.slice(-third)) / middle(figures.slice(0, third));
}
