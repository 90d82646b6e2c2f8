import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isSampled } from '../sample.ts';
import { type Collected, collected } from './collected.ts';
import { Modules } from './modules.ts';
import { type Ended, runTests } from './run-tests.ts';

/** What Stryker's code in a mutated file and this runner tell each other. */
interface Namespace {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}

/** What is used of Stryker's own, which has more. */
interface MutantRun {
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly activeMutant: {
    readonly id: string;
    readonly fileName: string;
    readonly location: { readonly start: { readonly line: number; readonly column: number } };
    readonly replacement?: string;
  };
  readonly sandboxFileName: string;
  readonly mutantActivation: 'runtime' | 'static';
}

/** What each test took when none was mutated. */
const TIMES = 'var/mutation/times.json';
/** Of the processor, for the tests of one mutant together. */
const BUDGET_MS = 2000;

/**
 * A test runner of Stryker's that runs tests of parts again and again in one process, some twenty times as fast as vitest does when it is
 * started for each mutant. Mutants of what a module does as it is loaded meet the tests that import it, with modules loaded anew.
 */
class InProcess {
  private readonly ns: Namespace;
  private readonly modules = new Modules(`${pathToFileURL(process.cwd()).href}/`);
  private loaded: readonly Collected[] | undefined;
  private readonly times = new Map<string, number>();

  constructor() {
    const all: typeof globalThis & { __stryker__?: Namespace } = globalThis;
    all.__stryker__ ??= {};
    this.ns = all.__stryker__;
    process.env.NODE_ENV = 'test';
    process.env.VITEST = 'true';
    // What a mutant leaves behind may throw later: that is no finding of the test which runs by then.
    process.on('uncaughtException', () => undefined);
  }

  capabilities(): { readonly reloadEnvironment: boolean } {
    return { reloadEnvironment: true };
  }

  /** Tests that need vitest itself fail here, and are left out: Stryker names each. */
  async dryRun() {
    const ended = await this.run(await this.all(), false);
    const passed = ended.filter(({ failure }) => failure === undefined);
    mkdirSync(path.dirname(TIMES), { recursive: true });
    writeFileSync(TIMES, JSON.stringify(Object.fromEntries(passed.map(({ id, ms }) => [id, ms]))));
    const tests = passed.map(({ id, file, ms }) => ({
      ...{ id, name: id.slice(id.indexOf('#') + 1), fileName: file, timeSpentMs: ms },
      status: 0,
    }));
    return { status: 'complete', tests, mutantCoverage: this.ns.mutantCoverage };
  }

  async mutantRun({ testFilter, hitLimit, activeMutant, sandboxFileName, mutantActivation }: MutantRun) {
    const { id, fileName: file, location, replacement } = activeMutant;
    if (!isSampled({ file, start: location.start, replacement }, SAMPLE))
      return { status: 'error', errorMessage: 'it is not in the sample' };
    const { ns } = this;
    const all = await this.all();
    const filter = testFilter && new Set(testFilter);
    ns.hitCount = 0;
    ns.hitLimit = hitLimit;
    try {
      ns.activeMutant = id;
      const tests =
        mutantActivation === 'static' ? await this.reloaded(sandboxFileName) : all.filter((test) => filter?.has(test.id) ?? true);
      const ended = await this.run(this.inTurns(tests, file), true);
      if (hitLimit !== undefined && ns.hitCount > hitLimit) return { status: 'timeout', reason: `more than ${hitLimit} times there` };
      const failed = ended.find(({ failure }) => failure !== undefined);
      if (failed === undefined) return { status: 'survived', nrOfTests: ended.length };
      return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failure, nrOfTests: ended.length };
    } catch (error) {
      return { status: 'killed', killedBy: [], failureMessage: `not loaded: ${String(error)}`, nrOfTests: 0 };
    } finally {
      ns.activeMutant = undefined;
      ns.hitCount = undefined;
    }
  }

  private run(tests: readonly Collected[], bail: boolean): Promise<readonly Ended[]> {
    const onTest = (id: string | undefined): void => {
      this.ns.currentTestId = id;
    };
    return runTests(tests, { onTest, bail });
  }

  /** Those of the file's name, all of them; then the room's own and others, the quickest first, as long as they take no more than the budget. */
  private inTurns(tests: readonly Collected[], mutated: string): readonly Collected[] {
    const { times } = this;
    if (times.size === 0) for (const [id, ms] of Object.entries(JSON.parse(readFileSync(TIMES, 'utf8')))) times.set(id, Number(ms));
    const isNamesake = ({ file }: Collected): boolean => path.basename(file, '.test.ts') === path.basename(mutated, '.ts');
    const placeOf = (test: Collected): number =>
      (isNamesake(test) ? 0 : OWN.has(test.file) ? BUDGET_MS : 2 * BUDGET_MS) + (times.get(test.id) ?? 0);
    let sum = 0;
    return tests
      .filter(({ id }) => times.has(id))
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .filter((test) => {
        sum += isNamesake(test) ? 0 : (times.get(test.id) ?? 0);
        return sum <= BUDGET_MS;
      });
  }

  private async all(): Promise<readonly Collected[]> {
    this.loaded ??= await this.load([...given.own, ...given.others].map(placeOf));
    return this.loaded;
  }

  private reloaded(file: string): Promise<readonly Collected[]> {
    const renewed = this.modules.anew(file);
    return this.load([...OWN].filter((test) => renewed.has(test)));
  }

  private async load(files: readonly string[]): Promise<readonly Collected[]> {
    const tests: Collected[] = [];
    for (const file of files) tests.push(...(await collected.load(file, () => this.modules.import(pathToFileURL(file)))));
    return tests;
  }
}

const SAMPLE = { share: Number(process.env.MUTATED_SHARE), seed: process.env.MUTATED_SEED ?? '' };

/** Files of tests, from the project's folder. */
const given: { readonly own: readonly string[]; readonly others: readonly string[] } = JSON.parse(process.env.MUTATED_TESTS ?? '{}');
const placeOf = (file: string): string => `${process.cwd()}/${file}`;
const OWN = new Set(given.own.map(placeOf));

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcess }];
