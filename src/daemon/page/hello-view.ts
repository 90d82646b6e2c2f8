import path from 'node:path';
import { journalName } from '#adapters/journal/journal-name.ts';
import { VERSION } from '#assembly/package.ts';
import { typed } from '#assembly/typed.ts';
import { journalCommand } from '#daemon/operations/journal-command.ts';
import type { Mode } from '#domain/mode.ts';
import type { HelloView } from '#server/page/view.ts';

interface Running {
  readonly run: string;
  readonly mode: Mode;
  readonly journalPath: string;
  /** Empty for a journal in memory, which is another one in each run. */
  readonly instance: string;
}

/** How a daemon names itself to its pages. */
export function helloView({ run, mode, journalPath, instance }: Running): HelloView {
  const journal = path.resolve(journalPath);
  return {
    run,
    version: VERSION,
    mode,
    name: journalName(journal),
    journal,
    instance: instance || run,
    haltCommand: typed(journalCommand('halt', journal)),
  };
}
