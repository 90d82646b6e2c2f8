import { globSync, readFileSync } from 'node:fs';
import { needsProcess } from '../support/needs-process.ts';

/** What is mutated under one name, and the tests of its own. */
export interface Room {
  readonly mutate: readonly string[];
  /** Folders of tests. Mutants of what a module does as it is loaded meet these alone: all others would have to be loaded anew. */
  readonly own: readonly string[];
}

/** The rooms in which a mistake costs money. */
export const ROOMS: Readonly<Record<string, Room>> = {
  risk: { mutate: ['src/core/risk/*.ts'], own: ['test/core/risk'] },
  execution: { mutate: ['src/core/execution/*.ts'], own: ['test/core/execution'] },
  wire: {
    mutate: [
      'src/adapters/service-client/orders/{answer-*,canonical,figures-check,outcomes,refusal-words,retry-after,signature}.ts',
      'src/adapters/service-client/quotes/{decode-*,messages,subscription}.ts',
      'src/adapters/service-client/figures.ts',
    ],
    own: ['test/adapters/service-client/orders', 'test/adapters/service-client/quotes'],
  },
  domain: { mutate: ['src/domain/*.ts'], own: ['test/domain'] },
  clock: { mutate: ['src/adapters/service-client/clock/*.ts'], own: ['test/adapters/service-client/clock'] },
  journal: { mutate: ['src/adapters/journal/*.ts'], own: ['test/adapters/journal'] },
};

/** Where tests are quick and need no time of the clock. */
const QUICK = 'test/{adapters/{alerts,journal,outside-signals,service},assembly,cli,config,core,daemon/{operations,page},domain,report}/**';

/** The tests of a room: its own, and others that each mutant meets behind them. */
export function testsOf(room: string): { readonly own: readonly string[]; readonly others: readonly string[] } {
  const { own = [], mutate = [] } = ROOMS[room] ?? {};
  const ours = testsIn(own.map((folder) => `${folder}/**`));
  const mutated = new Set(globSync([...mutate]).map((file) => file.replace('src/', '#')));
  const isUser = (test: string): boolean => importsOf(test).some((file) => mutated.has(file));
  return {
    own: ours,
    others: [...testsIn([QUICK]).filter(isUser), ...testsIn(['test/scenarios/**'])].filter((test) => !ours.includes(test)),
  };
}

const testsIn = (folders: readonly string[]): readonly string[] =>
  globSync(folders.map((folder) => `${folder}/*.test.ts`))
    .filter((file) => !needsProcess(file))
    .sort();

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/ from '(#[^']+)'/g)].map(([, from = '']) => from);
