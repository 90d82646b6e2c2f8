import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { recordingsIn } from '#adapters/recording/catalog.ts';
import type { Settings } from '#config/settings.ts';
import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { type Finding, guarded, ok, warn } from './finding.ts';
import { bytesText, DISK_DAYS, type Machine } from './machine.ts';

/** Shorter recordings give no rate, in milliseconds. */
const MIN_MS = 600_000;
const RUN = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/;

interface WrittenRun {
  readonly bytes: number;
  /** From the run's begin to its last write; null where the name says no begin, as of an import. */
  readonly spanMs: Millis | null;
  readonly lastAt: Millis;
}

/** Checks how long the disk lasts for recordings, at the rate of the last day's runs. */
export async function recordingFindings(
  { recording: { dir, enabled, keepDays } }: Pick<Settings, 'recording'>,
  { freeBytes, now }: Pick<Machine, 'freeBytes'> & { readonly now: Millis },
): Promise<readonly Finding[]> {
  if (!enabled || !existsSync(dir)) return [];
  return guarded('recordings', '`kairos data verify` says which can be read', () => {
    const runs = recordingsIn(dir).map((log) => written(path.dirname(log)));
    const recent = runs.filter(({ lastAt, spanMs }) => spanMs !== null && lastAt > now - DAY_MS);
    const sum = (of: (run: WrittenRun) => number, over: readonly WrittenRun[]): number => over.reduce((all, run) => all + of(run), 0);
    const spanMs = sum((run) => run.spanMs ?? 0, recent);
    if (spanMs < MIN_MS) return [];
    const held = sum(({ bytes }) => bytes, runs);
    const perDay = (sum(({ bytes }) => bytes, recent) * DAY_MS) / spanMs;
    const more = keepDays === 0 ? perDay * DISK_DAYS : Math.max(0, perDay * keepDays - held);
    const kept = keepDays === 0 ? 'kept for ever' : `${bytesText(perDay * keepDays)} in recording.keepDays ${keepDays}`;
    const what = `${bytesText(held)} now, ${bytesText(perDay)} a day at the recent rate, ${kept}`;
    const free = freeBytes(dir);
    if (more <= free) return [ok('recordings', what)];
    return [warn('recordings', `${what}: the disk lasts ${Math.floor(free / perDay)} days`, 'lower recording.keepDays, or make room')];
  });
}

function written(folder: string): WrittenRun {
  const stats = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false }) ?? []);
  const lastAt = Math.max(0, ...stats.map(({ mtimeMs }) => mtimeMs));
  const [, ...begin] = RUN.exec(path.basename(folder)) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = begin.map(Number);
  const from = begin.length === 0 ? null : Date.UTC(year, month - 1, day, hour, minute, second);
  return { bytes: stats.reduce((all, { size }) => all + size, 0), spanMs: from === null ? null : lastAt - from, lastAt };
}
