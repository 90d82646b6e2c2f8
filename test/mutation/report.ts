import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isSampled, type Sample } from './sample.ts';

const place = z.object({ line: z.number(), column: z.number() });

const reportBody = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().default(''),
          status: z.string(),
          location: z.object({ start: place }),
        }),
      ),
    }),
  ),
});

/** A mutant that no test noticed. Known again by its line's text, since lines move. */
export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** The line as it stands, without spaces at its ends. */
  readonly text: string;
  readonly mutator: string;
  readonly replacement: string;
}

/** What became of the mutants of one file. */
export interface FileResult {
  readonly file: string;
  /** Mutants that a test failed on, or ran for ever with. */
  readonly killed: number;
  readonly survivors: readonly Survivor[];
}

/** Reads Stryker's report. Mutants that cannot be run, and those beside the sample, do not count. Errors: a file that is none of its reports throws. */
export function readReport(path: string, sample: Sample): readonly FileResult[] {
  const { files } = reportBody.parse(JSON.parse(readFileSync(path, 'utf8')));
  return Object.entries(files).map(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    let killed = 0;
    const survivors: Survivor[] = [];
    for (const { mutatorName: mutator, replacement, status, location } of mutants) {
      const { start } = location;
      // Others beside the sample were not run. Lines and columns of a report begin at 1.
      const at = { line: start.line - 1, column: start.column - 1 };
      if (status === 'NoCoverage' && !isSampled({ file, start: at, replacement }, sample)) continue;
      if (status === 'Killed' || status === 'Timeout') killed += 1;
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const text = lines[start.line - 1]?.trim() ?? '';
      survivors.push({ file, line: start.line, text, mutator, replacement: replacement.replace(/\s+/g, ' ') });
    }
    return { file, killed, survivors };
  });
}

const accepted = z.array(z.object({ file: z.string(), text: z.string(), replacement: z.string(), reason: z.string().min(1) }));

/** Survivors that were looked at and stay, each with its reason; `replacement` `*` means each mutant of the line. */
export type Accepted = z.infer<typeof accepted>;

export function readAccepted(path: string): Accepted {
  return accepted.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** The survivors that no entry of the list accounts for. */
export function unaccounted(survivors: readonly Survivor[], list: Accepted): readonly Survivor[] {
  return survivors.filter(
    ({ file, text, replacement }) =>
      !list.some((one) => one.file === file && one.text === text && (one.replacement === '*' || one.replacement === replacement)),
  );
}
