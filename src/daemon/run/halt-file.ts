import { type ControlFiles, changeOf, type HaltNote, readHalt, resumedFrom, writeFacts } from '#adapters/journal/control-files.ts';
import type { HaltLatch } from '#core/risk/latch.ts';

type HaltFiles = Pick<ControlFiles, 'halt' | 'haltOfAll' | 'haltByName' | 'halted' | 'resumed'>;

/** Watches for the files of a halt and shuts the last gate when one appears. */
export class HaltFile {
  private readonly files: HaltFiles;
  private readonly latch: HaltLatch;
  private readonly seen: Map<string, string | undefined>;

  constructor(files: HaltFiles, latch: HaltLatch) {
    this.files = files;
    this.latch = latch;
    this.seen = new Map([[files.halt, undefined], ...resumedFrom(files), [files.halted, undefined]]);
  }

  /** Checks for a new file, which halts whatever it is. `tell` is called before the receipt is written. */
  inspect(tell: (note: HaltNote) => void): void {
    const { halted } = this.files;
    for (const [file, before] of this.seen) {
      const mark = this.markOf(file);
      if (mark === before) continue;
      this.seen.set(file, mark);
      // A halt that is left for the next start: the gate was shut before.
      if (mark === undefined || (file === halted && this.latch.isSet)) continue;
      this.latch.set();
      const note = readHalt(file) ?? { who: 'file', why: `${file} was there` };
      tell(note);
      if (file === halted) continue;
      keepFacts(halted, { ...note, of: [...this.seen.values()].filter((one) => one !== undefined) });
      this.seen.set(halted, this.markOf(halted));
    }
  }

  private markOf(file: string): string | undefined {
    try {
      return changeOf(file);
    } catch {
      // The folder cannot be read now. The signal and the control API halt as well.
      return this.seen.get(file);
    }
  }
}

/** Writes facts into a file if possible. */
export function keepFacts(file: string, facts: object): void {
  try {
    writeFacts(file, facts);
  } catch {
    // A full disk must not keep the gate open or the process alive. The file is only an explanation.
  }
}
