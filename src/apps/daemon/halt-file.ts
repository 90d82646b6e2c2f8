import { writeFileSync } from 'node:fs';
import { type ControlFiles, type HaltNote, identityOf, readHalt } from '#adapters/journal/control-files.ts';
import type { HaltLatch } from '#core/risk/latch.ts';

/** Watches for the halt file and shuts the last gate when it appears. */
export class HaltFile {
  private readonly files: Pick<ControlFiles, 'halt' | 'halted'>;
  private readonly latch: HaltLatch;
  private seen: string | undefined;

  constructor(files: Pick<ControlFiles, 'halt' | 'halted'>, latch: HaltLatch) {
    this.files = files;
    this.latch = latch;
  }

  /** Checks for a new file, which halts whatever its content. `tell` is called before the receipt is written. */
  inspect(tell: (note: HaltNote) => void): void {
    const { halt, halted } = this.files;
    const identity = this.identity();
    if (identity === this.seen) return;
    this.seen = identity;
    if (identity === undefined) return;
    this.latch.set();
    const note = readHalt(halt) ?? { who: 'file', why: `${halt} was there` };
    tell(note);
    keepFacts(halted, note);
  }

  private identity(): string | undefined {
    try {
      return identityOf(this.files.halt);
    } catch {
      // The folder cannot be read now. The signal and the control API halt as well.
      return this.seen;
    }
  }
}

/** Writes facts into a file. */
export function keepFacts(file: string, facts: object): void {
  try {
    writeFileSync(file, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
  } catch {
    // A full disk must not keep the gate open or the process alive. The file is only an explanation.
  }
}
