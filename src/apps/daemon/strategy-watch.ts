import { statSync } from 'node:fs';
import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** How often files are looked at. A change is taken up once it has stood still for as long. */
const LOOK_MS = 250;

/** Strategies whose source is another one, each with its old and new hash in words, by id. */
export type SourceChanges = ReadonlyMap<string, string>;

interface StrategyWatchOptions {
  /** What runs now. */
  readonly strategies: readonly LoadedStrategy[];
  /** Its files, by absolute path. */
  readonly files: readonly string[];
  /** Loads everything anew. Throws a KairosError. */
  readonly load: () => Promise<readonly LoadedStrategy[]>;
  readonly timers: Pick<Timers, 'every'>;
  /** Told once, with modules that load and differ: all of them, and what is another one. */
  readonly onChange: (strategies: readonly LoadedStrategy[], changes: SourceChanges) => void;
  /** Told why changed modules cannot be loaded, in one line; what ran goes on. */
  readonly onFault: (line: string) => void;
}

/**
 * Looks at the files of the strategies that run until one of them is another one that loads. Nothing is taken from the system's
 * notes of changes: editors replace files, and not every disk tells.
 */
export function watchStrategies({ strategies, files, load, timers, onChange, onFault }: StrategyWatchOptions): Cancel {
  let known = stampOf(files);
  let seen = known;
  let faulty: string | undefined;
  let loading = false;
  const stop = timers.every(LOOK_MS, () => void poll());

  async function poll(): Promise<void> {
    const before = seen;
    seen = stampOf(files);
    // What failed may wait for a file that was not among them.
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

/** What there is to see of files without reading them. */
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
