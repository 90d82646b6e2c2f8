import { type Body, type Collected, collected } from './collected.ts';

/** How one test ended. */
export interface Ended {
  readonly id: string;
  readonly file: string;
  /** Of the processor: what others do on the machine does not count. */
  readonly ms: number;
  readonly failure: string | undefined;
}

interface Options {
  /** Called with each test's id before it runs, and with undefined behind it. */
  readonly onTest: (id: string | undefined) => void;
  /** Ends with the first failure. */
  readonly bail: boolean;
}

/** No test of a part takes this long, but one that waits for what a mutant took away. */
const TIMEOUT_MS = 5000;
const { setTimeout: later, clearTimeout: notLater } = globalThis;

const SKIPPED = Symbol('skipped');
/** What vitest hands to a test, as far as ours use it. */
const CONTEXT = {
  skip: (): never => {
    throw SKIPPED;
  },
};

/** Runs tests in their order, with the hooks around them. Skipped ones are left out. */
export async function runTests(tests: readonly Collected[], { onTest, bail }: Options): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  let within: Collected['suites'] = [];
  for (const test of tests) {
    if (test.body === undefined) continue;
    const startedAt = process.cpuUsage();
    onTest(test.id);
    const failures = [
      ...(await leave(within.filter((suite) => !test.suites.includes(suite)))),
      ...(await attempt(all(test.suites.filter((suite) => !within.includes(suite)).flatMap(({ hooks }) => hooks.beforeAll)))),
    ];
    within = test.suites;
    if (failures.length === 0) failures.push(...(await one(test)));
    onTest(undefined);
    ended.push({ id: test.id, file: test.file, ms: cpuMs(startedAt), failure: failures[0] });
    if (bail && failures.length > 0) break;
  }
  await leave(within);
  return ended;
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

const leave = (suites: Collected['suites']): Promise<string[]> =>
  attempt(all([...suites].reverse().flatMap(({ hooks }) => hooks.afterAll)));

async function one({ suites, body }: Collected): Promise<string[]> {
  const undo: Body[] = [];
  const failures = await attempt(async () => {
    for (const hook of suites.flatMap(({ hooks }) => hooks.beforeEach)) {
      const undone = await hook();
      if (typeof undone === 'function') undo.unshift(() => undone());
    }
    await body?.(CONTEXT);
  });
  failures.push(...(await attempt(all([...undo, ...suites.toReversed().flatMap(({ hooks }) => hooks.afterEach.toReversed())]))));
  failures.push(...(await attempt(all(collected.takeFinished()))));
  return failures;
}

const all = (bodies: readonly Body[]) => async (): Promise<void> => {
  for (const body of bodies) await body();
};

/** What went wrong, if anything. */
async function attempt(act: () => Promise<void>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = later(() => resolve([`not over within ${TIMEOUT_MS} ms`]), TIMEOUT_MS);
  });
  const done = act().then(
    () => [],
    (error: unknown) => (error === SKIPPED ? [] : [error instanceof Error ? error.message : String(error)]),
  );
  const failures = await Promise.race([done, late]);
  notLater(timer);
  return failures;
}
