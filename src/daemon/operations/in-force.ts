import { answerOf } from '#adapters/journal/acts.ts';
import type { LeaseHolder } from '#adapters/journal/lease.ts';
import type { RunRow } from '#adapters/journal/tables.ts';
import { differences } from '#config/arming.ts';
import type { LoadedConfig } from '#config/load.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { Settings } from '#config/settings.ts';
import type { Millis } from '#domain/names.ts';

/** What a journal is compared with. */
export interface InForce extends Pick<Settings, 'strategies' | 'schedule'> {
  /** Where it stands: `the running daemon`, or the files of the configuration. */
  readonly place: string;
  /** `trading.rearmAfter`; null for never. */
  readonly rearmAfterMs: Millis | null;
  /** The settings of the daemon that runs which the files have otherwise. */
  readonly differing: readonly string[];
}

/** Who holds a journal, and its last run. */
interface Present {
  readonly holder: LeaseHolder | null;
  readonly run: Pick<RunRow, 'run_id' | 'ended_at' | 'config_json'> | null;
}

/**
 * The strategies and the schedule of the daemon that runs, which may have been started with other files than a command reads; without one, those
 * of the configuration. Throws JOURNAL_BROKEN.
 */
export function inForce({ settings, files, json }: Pick<LoadedConfig, 'settings' | 'files' | 'json'>, { holder, run }: Present): InForce {
  if (holder === null || run === null || run.ended_at !== null) {
    const { strategies, schedule, trading } = settings;
    return {
      strategies,
      schedule,
      rearmAfterMs: trading.arming.rearmAfterMs,
      place: files.join(', ') || 'the configuration',
      differing: [],
    };
  }
  const { strategies, schedule, trading } = recordedSettings(run.run_id, run.config_json);
  const differing = differences(run.config_json, json).map(({ key }) => key);
  return { strategies, schedule, rearmAfterMs: trading.arming.rearmAfterMs, place: 'the running daemon', differing };
}

/** What the daemon that runs has otherwise than a configuration, and what to do about it; undefined where nothing is, or none runs. */
export function runsOtherwise({ json }: Pick<LoadedConfig, 'json'>, { holder, run }: Present): { what: string; mend: string } | undefined {
  const [first, ...more] = holder === null || run === null ? [] : differences(run.config_json, json);
  if (!first) return undefined;
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  return {
    what: `the daemon runs with other settings: ${first.key}: ${first.before ?? 'not set'} there, ${first.after ?? 'not set'} here${others}`,
    mend: 'start it again to take these, or give this command the options that it was started with',
  };
}

/** The same as `inForce`, by the configured journal. Throws what opening a journal throws. */
export const inForceNow = (config: LoadedConfig): InForce => inForce(config, presentOf(config));

/** Who holds the configured journal, and its last run. Throws what opening a journal throws. */
export function presentOf({ settings }: Pick<LoadedConfig, 'settings'>): Present {
  const asked = answerOf(settings.journal.path, (journal) => ({ holder: journal.holder(), run: journal.lastRun() ?? null }));
  return asked ?? { holder: null, run: null };
}
