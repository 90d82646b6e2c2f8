import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { INSTALLED, installStryker } from '../../scripts/stryker/installed.ts';

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A mutant as Stryker makes it; its lines and columns begin at 0. */
export interface Made {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  /** `Ignored` for those that the mutation run leaves out, which are not in the code. */
  readonly status?: 'Ignored';
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Instrumented {
  readonly mutants: readonly Made[];
  readonly files: readonly { readonly name: string; readonly content: string }[];
}

const silent = new Proxy({}, { get: () => () => undefined });

/** Files with all mutants in them, or those of some places. */
export async function instrumented(
  names: readonly string[],
  mutate: (name: string) => true | readonly Made['location'][] = () => true,
): Promise<Instrumented> {
  installStryker();
  const { Instrumenter } = await import(pathToFileURL(`${INSTALLED}/node_modules/@stryker-mutator/instrumenter/dist/src/index.js`).href);
  return new Instrumenter(silent).instrument(
    names.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: mutate(name) })),
    { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] },
  );
}
