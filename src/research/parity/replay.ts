import { MemoryJournal } from '#adapters/journal/memory-journal.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { loadStrategies } from '#assembly/assemble.ts';
import { VERSION } from '#assembly/package.ts';
import { StrategyTracker } from '#assembly/strategy-tracker.ts';
import { recordedSettings } from '#config/recorded.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { StrategySnapshot } from '#report/strategy-snapshot.ts';
import { listenedTo, type OnEmission } from '#research/backtest/emissions.ts';
import { engineOfRun, factsOf } from './recorded-run.ts';

interface ReplayOptions {
  /** The inbox log of the run. */
  readonly path: string;
  /** Events after this time are left out. */
  readonly upTo: Millis;
  /** Folders in which strategy modules are looked for. */
  readonly folders: { readonly cwd: string; readonly packaged: string };
  /** Told what strategies emit. */
  readonly onEmission?: OnEmission;
}

/**
 * Replays the recorded inbox of a run in a fresh engine up to a time, and returns what each strategy saw by then. Sends
 * and writes nothing. Throws a KairosError if recording or strategies cannot be read.
 */
export async function replayRun({ path, upTo, folders, onEmission }: ReplayOptions): Promise<ReadonlyMap<StrategyId, StrategySnapshot>> {
  const log = openRun(path);
  const facts = factsOf(log);
  if (facts.version !== VERSION) {
    throw new KairosError(
      'RECORDING_UNREADABLE',
      `recording ${path} was made by Kairos ${facts.version}, this is ${VERSION}: use that one`,
    );
  }
  const settings = recordedSettings(facts.run, facts.config);
  const loaded = await loadStrategies(settings, folders);
  const strategies = listenedTo(loaded, onEmission, () => ({ engine, inboxSeq: last ?? 0 }));
  const { engine } = engineOfRun({ settings, strategies, journal: new MemoryJournal() });
  const seen = new StrategyTracker(settings, loaded);
  let last: number | undefined;
  for (const item of log.items()) {
    if (item.kind === 'conflated') {
      if (item.at <= upTo) seen.lanes.quote(item.quote, item.at);
      continue;
    }
    const { n, at } = item.event;
    if (at > upTo) break;
    if (n !== (last ?? n - 1) + 1) throw lacking(path, last ?? 0, n);
    last = n;
    seen.lanes.add(item.event);
    engine.handle(item.event);
  }
  return new Map(
    loaded.map(({ strategy, sourceHash }) => [
      strategy.id,
      seen.of(strategy, { engine, now: upTo, sameSource: facts.strategySources[strategy.id] === sourceHash }),
    ]),
  );
}

/** The error of a recording with a gap, after which a replay is not possible. */
function lacking(path: string, last: number, next: number): KairosError {
  const why = 'recording.keepDays removes old days of a run, and what followed from them cannot be played again';
  return new KairosError('RECORDING_UNREADABLE', `recording ${path} lacks the events ${last + 1} to ${next - 1}: ${why}`);
}
