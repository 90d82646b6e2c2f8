import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, ROOT, runKairos, Started, startKairos } from '../support/process.ts';

let folder: DaemonFolder;

beforeEach(() => {
  folder = new DaemonFolder('init');
});

afterEach(async () => {
  await endAll();
  folder.remove();
});

/** What `npm install` does with the project's package.json, without asking a registry. */
function install(project: string): void {
  const named: { dependencies: Record<string, string>; devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(path.join(project, 'package.json'), 'utf8'),
  );
  mkdirSync(path.join(project, 'node_modules/@types'), { recursive: true });
  const { kairos = '' } = named.dependencies;
  symlinkSync(path.resolve(project, kairos.replace(/^file:/, '')), path.join(project, 'node_modules/kairos'));
  for (const name of Object.keys(named.devDependencies)) {
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(project, 'node_modules', name));
  }
}

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

test('a project of init and its strategies: tests and types pass, and it trades', { timeout: 180_000 }, async () => {
  const cwd = path.join(folder.path, 'bot');
  expect(await runKairos(['init', 'bot'], { cwd: folder.path })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  npm start\n'),
  });
  install(cwd);
  const made = await runKairos(['new', 'strategy', 'my-idea'], { cwd });
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('npx vitest run strategies/my-idea\n  under strategies: in kairos.yaml'),
  });
  folder.write('bot/strategies/merged.ts', RXJS);
  folder.write('bot/strategies/merged.test.ts', RXJS_TEST);

  const tool = (...args: string[]) => new Started(process.execPath, args, { cwd }).ended;
  const tests = await tool(path.join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run');
  expect(tests.stdout + tests.stderr).toMatch(/Tests +5 passed/);
  expect(tests.code).toBe(0);
  expect(await tool(path.join(ROOT, 'node_modules/typescript/bin/tsc'))).toMatchObject({ code: 0, stdout: '' });

  const daemon = startKairos(['run', '--set', 'venue.quotesPerSecond=20'], { cwd });
  await daemon.until('an order', () => (/dip-btc: buy .* accepted/.test(daemon.stdout) ? true : undefined));
  daemon.signal('SIGINT');
  expect(await daemon.ended).toMatchObject({ code: 0 });
  expect(await runKairos(['parity', 'last'], { cwd })).toMatchObject({ code: 0 });
});

test('new strategy: a wrong name is one line and exit 2', async () => {
  expect(await runKairos(['new', 'strategy', '../x'], { cwd: folder.path })).toMatchObject({
    code: 2,
    stderr: "kairos: new strategy: a name is small letters, digits and single dashes, such as my-idea; not '../x'\n",
  });
});
