import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '#adapters/journal/schema.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { takeBack } from '../adapters/journal/earlier-schema.ts';
import { begin, RUN } from '../adapters/journal/rows.ts';
import { rowsOf } from '../support/books.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, Started } from '../support/process.ts';
import { ROOT } from '../support/root.ts';

const RXJS = `import { map, merge } from 'rxjs';
import { filter } from 'rxjs/operators';
import { buy, mid, strategy } from 'kairos/strategy';

export default strategy({
  name: 'merged',
  signals: ({ quotes$, every }) => merge(quotes$.pipe(mid()), every('1s').pipe(map((count) => -count))).pipe(filter((x) => x > 0)),
  decide: (price, { amount }) => (price > 1 ? buy(amount, 'a price') : undefined),
});
`;

const RXJS_TEST = `import { scenario } from 'kairos/testing';
import { expect, test } from 'vitest';
import merged from './merged.ts';

test('streams of rxjs and of Kairos are of one kind', () => {
  expect(scenario(merged).quote(60_000).orders).toMatchObject([{ state: 'accepted' }]);
});
`;

const WRONG = `import { strategy } from 'kairos/strategy';
export default strategy({ name: 'wrong', signals: ({ quotes$ }) => quotes$, decide: (quote) => quote.bid });
`;

/** The strategy of a new project trades within seconds. */
const OFTEN = ['quotes=20', 'percent=0.01'].flatMap((param) => ['--set', `strategies[0].params.${param}`]);

const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

let folder: DaemonFolder;
beforeAll(() => {
  folder = new DaemonFolder('project');
});
afterEach(endAll);
afterAll(() => folder.remove());

interface Bill {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly object[];
    readonly licenses: readonly object[];
  }[];
}

interface Project {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}
const packageOf = (project: string): Project => JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8'));

/** Links what a project needs from the checkout, as `npm install` would fetch it. */
function link(project: string, names: readonly string[]): void {
  for (const name of names) {
    const file = path.join(project, 'node_modules', name);
    mkdirSync(path.dirname(file), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), file);
  }
}

test('a project of init beside a checkout: its strategies have their types', async () => {
  const cwd = path.join(folder.path, 'beside');
  expect(await runKairos(['init', 'beside'], { cwd: folder.path })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  npm start\n'),
  });
  const { dependencies, devDependencies } = packageOf(cwd);
  link(cwd, Object.keys(devDependencies));
  symlinkSync(path.resolve(cwd, dependencies.kairos?.replace(/^file:/, '') ?? ''), path.join(cwd, 'node_modules/kairos'));
  folder.write('beside/strategies/merged.ts', RXJS);
  expect(await new Started(process.execPath, [TSC], { cwd }).ended).toMatchObject({ code: 0, stdout: '' });
});

describe('the package, installed into an empty folder', () => {
  let cwd: string;
  let tarball: string;
  const tool = (...args: string[]) => new Started(process.execPath, args, { cwd }).ended;
  const kairos = (...args: string[]) => tool(path.join(cwd, 'node_modules/kairos/bin/kairos.mjs'), ...args);

  beforeAll(() => {
    cwd = path.join(folder.path, 'bot');
    mkdirSync(cwd);
    const packed = execFileSync(process.execPath, ['scripts/package.ts', '--to', folder.path], { cwd: ROOT, encoding: 'utf8' });
    tarball = packed.trim();
    // A Node of its own and what only speeds things up are optional; of these esbuild's own program is needed.
    const quick = ['--prefer-offline', '--omit=optional', '--ignore-scripts', '--no-audit', '--loglevel=error'];
    execFileSync('npm', ['install', ...quick, `../${path.basename(tarball)}`], { cwd, stdio: 'pipe' });
    link(cwd, [`@esbuild/${process.platform}-${process.arch}`]);
  });

  test('holds what runs, and nothing else', () => {
    const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const files = listed.map((file) => file.replace(/^package\//, ''));
    const roots = ['LICENSE', 'README.md', 'bin', 'config', 'deploy', 'docs', 'ecosystem.config.js', 'examples', 'lib', 'package.json'];
    expect([...new Set(files.map((file) => file.split('/')[0]))].sort()).toEqual([...roots, 'scripts', 'strategies', 'web']);
    expect(
      files.filter((file) => /\.test\.|\.png$|^lib\/lab\/simulator\/(?:main|defects)|^lib\/.*(?<!\.d)\.ts$|[^x]\.map$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /^(?:bin|config|scripts)\//.test(file)).sort()).toEqual([
      'bin/kairos.mjs',
      'config/live.example.yaml',
      'config/paper.yaml',
      'scripts/ensure-node.mjs',
      'scripts/own-modules.mjs',
      'scripts/own-node.mjs',
    ]);
    const bill: Bill = JSON.parse(readFileSync(tarball.replace(/tgz$/, 'cdx.json'), 'utf8'));
    const { dependencies } = packageOf(path.join(cwd, 'node_modules/kairos'));
    const parts = new Map(
      bill.components.map(({ name, version, hashes, licenses }) => [name, { version, whole: hashes.length * licenses.length }]),
    );
    for (const [name, version] of Object.entries(dependencies)) expect(parts.get(name), name).toEqual({ version, whole: 1 });
    expect([bill.metadata.component.name, parts.has('vitest')]).toEqual(['kairos', false]);
    expect(statSync(tarball).size).toBeLessThan(1_562_000);
    expect(Object.keys(packageOf(path.join(cwd, 'node_modules/kairos')).devDependencies)).toEqual(['@types/node', 'typescript', 'vitest']);
  });

  test('init lays out a project whose settings, tests and types are right', async () => {
    const laid = await kairos('init');
    expect(laid).toMatchObject({ code: 0, stdout: expect.stringContaining('added to package.json: type, scripts, devDependencies, opt') });
    expect(packageOf(cwd).dependencies.kairos).toBe(`file:../${path.basename(tarball)}`);
    link(cwd, Object.keys(packageOf(cwd).devDependencies));
    expect(await kairos('config', 'check')).toMatchObject({ code: 0, stdout: 'ok: paper, 1 strategy, from kairos.yaml\n' });
    const made = await kairos('new', 'strategy', 'my-idea');
    expect(made.stdout).toContain('npx vitest run strategies/my-idea\n  under strategies: in kairos.yaml');

    folder.write('bot/strategies/merged.ts', RXJS);
    folder.write('bot/strategies/merged.test.ts', RXJS_TEST);
    const tests = await tool(VITEST, 'run');
    expect(tests.stdout + tests.stderr).toMatch(/Tests +5 passed/);
    folder.write('bot/strategies/wrong.ts', WRONG);
    // Nothing else is wrong.
    expect((await tool(TSC)).stdout).toMatch(
      /^strategies\/wrong\.ts\(2,\d+\): error TS2339: Property 'bid' does not exist on type 'Quote'.*\n$/,
    );
  });

  test('a daemon takes over the journal of the version before, shows its page, and its run plays again', async () => {
    const journal = path.join(cwd, 'var/kairos.db');
    mkdirSync(path.dirname(journal));
    const earlier = SqliteJournal.open({ path: journal, book: 'paper', beforeCommit: () => {} });
    begin(earlier);
    earlier.end(RUN, 'stopped');
    earlier.close();
    takeBack(journal);

    const daemon = new Started(
      process.execPath,
      [path.join(cwd, 'node_modules/kairos/bin/kairos.mjs'), 'run', '--set', 'venue.quotesPerSecond=20', ...OFTEN],
      { cwd },
    );
    await daemon.says(/dip-btc: buy .* accepted/);
    const [, page] = await daemon.says(/page +(http:\/\/[\d.:]+)/);
    expect(await (await fetch(`${page}/main.js`)).text()).toMatch(/Kairos/);
    await expect.poll(() => kairos('status', '--check')).toMatchObject({ code: 0, stdout: expect.stringContaining('dip-btc') });
    daemon.signal('SIGINT');
    expect(await daemon.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/ended after .*: \d+ orders?/) });
    expect(verifyJournal(journal)).toMatchObject({ ok: true });
    expect(rowsOf(journal, 'PRAGMA user_version')).toEqual([{ user_version: SCHEMA_VERSION }]);
    expect(rowsOf(journal, 'SELECT end_state FROM runs ORDER BY started_at')).toEqual([{ end_state: 'stopped' }, { end_state: 'stopped' }]);
    expect((await kairos('parity', 'last')).code).toBe(0);
    expect(await kairos('backtest')).toMatchObject({ code: 0, stdout: expect.stringContaining('BACKTEST') });
  });
});

test('new strategy: a wrong name is one line and exit 2', async () => {
  expect(await runKairos(['new', 'strategy', '../x'], { cwd: folder.path })).toMatchObject({
    code: 2,
    stderr: "kairos: new strategy: a name is small letters, digits and single dashes, such as my-idea; not '../x'\n",
  });
});
