import { controlFiles, haltByFile } from '#adapters/journal/control-files.ts';
import { lastBlocked, lastDecision, lastOrderOf, lastRefusal, thrownIn } from '#adapters/journal/named-rows.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { decisionOf } from '#adapters/journal/records.ts';
import type { RunRow } from '#adapters/journal/tables.ts';
import { isRecorded, logBytes } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { isBacktest } from '#domain/mode.ts';
import { isoTime, type Millis, strategyId } from '#domain/names.ts';
import { unknownStrategy } from '#domain/unknown-strategy.ts';
import { type Silence, silencesOf } from '#report/silence.ts';
import type { StrategySnapshot } from '#report/strategy-snapshot.ts';
import { playedFrom } from '#research/backtest/played.ts';
import { replayRun } from './replay.ts';

/** Size of a recording whose replay takes more than two seconds, in MB. */
const LONG_MB = 60;

interface SilenceOptions {
  readonly settings: Settings;
  /** `last`: when something was last refused, or where nothing was, the end of the last run; undefined: now. */
  readonly at: Millis | 'last' | undefined;
  /** One strategy; undefined for all of the run. */
  readonly strategy: string | undefined;
  readonly folders: { readonly cwd: string; readonly packaged: string };
  /** Called before longer work. */
  readonly notice?: (text: string) => void;
}

/** Collects what journal and recording know of strategies at a time. Throws NOT_FOUND for an unknown strategy, and for a time beside a backtest. */
export async function silences({ settings, at: asked, strategy, folders, notice }: SilenceOptions): Promise<readonly Silence[]> {
  const journal = JournalReader.open(settings.journal.path);
  try {
    const last = journal.lastRun();
    const refused = asked === 'last' ? journal.named((database) => lastRefusal(database, strategy)) : undefined;
    const unrefused = asked === 'last' && refused === undefined;
    // Where nothing was refused, the end of the last run has the answer.
    const now = systemTimers.wallMs();
    const at = asked === 'last' ? Date.parse(refused ?? last?.ended_at ?? isoTime(now)) : (asked ?? now);
    refuseBeside(last, at);
    const run = journal.runAt(isoTime(at));
    if (!run) {
      const nothing = { latches: [], rearmAfterMs: null, open: () => [], rowsOf: () => ({ last: undefined }) };
      return silencesOf([{ id: strategy ?? 'any strategy', product: '' }], { at, run, unrefused, ...nothing, seen: () => 'there is none' });
    }
    const { strategies, trading } = recordedSettings(run.run_id, run.config_json);
    const wanted = strategies.filter(({ id }) => strategy === undefined || id === strategy);
    if (wanted.length === 0)
      throw unknownStrategy(
        `run ${run.run_id}`,
        strategy ?? '',
        strategies.map(({ id }) => id),
      );
    const wasPlayed = isBacktest(run.mode);
    const on = run.ended_at === null || Date.parse(run.ended_at) >= at;
    const log = logPath(settings.recording.dir, run.run_id);
    const seen = wasPlayed ? UNKEPT : on ? await replayed(log, at, notice ? { folders, notice } : { folders }) : 'the run was over';
    const journaled = journal.latches(isoTime(at));
    // A daemon that hangs journals no halt. Of the present alone: a file does not say what was before it.
    const byFile = asked === undefined ? haltByFile(controlFiles(settings.journal.path), journaled) : [];
    const played = wasPlayed ? playedFrom(settings.journal.path, run.run_id) : null;
    const about = (id: string) => ({ strategy: id, at: isoTime(at), run: run.run_id });
    const row = (find: typeof lastOrderOf, id: string) => {
      const found = journal.named((database) => find(database, about(id)));
      return found && decisionOf(found);
    };
    return silencesOf(wanted, {
      at,
      unrefused,
      run: on ? run.run_id : undefined,
      latches: [...byFile, ...journaled],
      rearmAfterMs: trading.arming.rearmAfterMs,
      open: (product) => journal.openAt(product, isoTime(at)),
      rowsOf(id) {
        const last = journal.named((database) => lastDecision(database, id, isoTime(at)));
        // Decisions of an earlier run do not count.
        const isOfRun = last !== undefined && (!on || last.run_id === run.run_id);
        return {
          last: isOfRun ? decisionOf(last) : undefined,
          blocked: on ? row(lastBlocked, id) : undefined,
          thrown: on ? journal.named((database) => thrownIn(database, about(id))) : null,
        };
      },
      seen: ({ id }) => (typeof seen === 'string' ? seen : (seen.get(strategyId(id)) ?? 'the recording does not know it')),
      ...(wasPlayed && {
        played: (id) => ({
          from: run.started_at,
          isEnd: run.ended_at === isoTime(at),
          came: played?.strategies[id],
          ordered: row(lastOrderOf, id),
        }),
      }),
    });
  } finally {
    journal.close();
  }
}

const UNKEPT = 'a backtest keeps its decisions, and not what the strategy saw: its report and `observe` show that';

/** The journal of a backtest knows the span that was played, and no present. */
function refuseBeside(run: RunRow | undefined, at: Millis): void {
  if (!run || !isBacktest(run.mode) || run.ended_at === null) return;
  const { run_id, started_at, ended_at } = run;
  if (at >= Date.parse(started_at) && at <= Date.parse(ended_at)) return;
  throw new KairosError('NOT_FOUND', `${run_id} played ${started_at} to ${ended_at}: name a time in it by --at, or --at last`);
}

async function replayed(
  path: string,
  upTo: Millis,
  { folders, notice = () => {} }: Pick<SilenceOptions, 'folders' | 'notice'>,
): Promise<ReadonlyMap<string, StrategySnapshot> | string> {
  if (!isRecorded(path)) return `there is no recording ${path}: recording.enabled was false, or it was removed`;
  try {
    const megabytes = Math.round(logBytes(path) / 1e6);
    if (megabytes >= LONG_MB) notice(`playing ${megabytes} MB of recording again: about ${Math.ceil(megabytes / 30)} s`);
    return await replayRun({ path, upTo, folders });
  } catch (error) {
    // The answer then rests on rows alone, and says why.
    if (!(error instanceof KairosError)) throw error;
    return error.message;
  }
}
