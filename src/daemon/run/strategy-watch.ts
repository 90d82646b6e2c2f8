import { statSync } from 'node:fs';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** How often files are checked, in milliseconds. A change counts once it has been stable for as long. */
const LOOK_MS = 250;

/** Strategies with a changed source by id, each with its old and new hash in words. */
export type SourceChanges = ReadonlyMap<string, string>;

interface StrategyWatchOptions {
  /** The running strategies. */
  readonly strategies: readonly LoadedStrategy[];
  /** Its files, by absolute path. */
  readonly files: readonly string[];
  /** Loads all modules again. Throws a KairosError. */
  readonly load: () => Promise<readonly LoadedStrategy[]>;
  readonly timers: Pick<Timers, 'every'>;
  /** Called once when changed modules load: with all of them, and those that changed. */
  readonly onChange: (strategies: readonly LoadedStrategy[], changes: SourceChanges) => void;
  /** Called with one line on why changed modules cannot be loaded; the run goes on. */
  readonly onFault: (line: string) => void;
}

/** Watches the running strategies' files until a changed one loads. It polls: editors replace files, and not every file system reports changes. */
export function watchStrategies({ strategies, files, load, timers, onChange, onFault }: StrategyWatchOptions): Cancel {
  let known = stampOf(files);
  let seen = known;
  let faulty: string | undefined;
  let loading = false;
  const stop = timers.every(LOOK_MS, () => void poll());

  async function poll(): Promise<void> {
    const before = seen;
    seen = stampOf(files);
    // The failed module may depend on a file that was not watched.
    if (loading || seen !== before || (seen === known && faulty === undefined)) return;
    loading = true;
    known = seen;
    try {
      const loaded = await load();
      faulty = undefined;
      const changes = changesIn(strategies, loaded);
      if (changes.size === 0) return;
      stop();
      onChange(loaded, changes);
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      const [line = ''] = messageOf(error).split('\n');
      if (line !== faulty) onFault(line);
      faulty = line;
    } finally {
      loading = false;
    }
  }

  return stop;
}

/** The metadata of files, which shows changes without reading them. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '-';
    })
    .join('\n');
}

function changesIn(before: readonly LoadedStrategy[], after: readonly LoadedStrategy[]): SourceChanges {
  return new Map(
    before.flatMap(({ strategy, sourceHash }, index) => {
      const now = after[index]?.sourceHash ?? '';
      return now === sourceHash ? [] : [[strategy.id, `source ${sourceHash.slice(0, 12)} is now ${now.slice(0, 12)}`] as const];
    }),
  );
}
