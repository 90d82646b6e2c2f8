import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { usageText } from './errors.ts';

interface PackageFile {
  readonly version: string;
}

const { version }: PackageFile = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The program without its commands. */
export function emptyProgram(): Command {
  return new Command('kairos')
    .description('trades on quotes that expire; on paper unless set otherwise')
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(usageText(text)) })
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExample:\n  kairos run                trades on paper, against a venue of its own\n  kairos journal tail -f    shows what it decides',
    );
}
