import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initProject } from '#cli/init/init.ts';
import { newStrategy } from '#cli/init/new-strategy.ts';
import { ROOT } from '../../support/root.ts';

let cwd = '';
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(path.join(tmpdir(), 'kairos-project-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const packaged = path.join(ROOT, 'strategies');
const make = (name: string) => newStrategy(name, { cwd, packaged });
const files = (): readonly string[] =>
  readdirSync(cwd, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    .sort();

describe('new strategy', () => {
  test('writes the module and its tests, and says whether they can be run here', () => {
    expect(make('my-idea')).toEqual({
      written: ['strategies/my-idea.ts', 'strategies/my-idea.test.ts'],
      testable: false,
      configured: false,
    });
    mkdirSync(path.join(cwd, 'node_modules'));
    symlinkSync(ROOT, path.join(cwd, 'node_modules/kairos'));
    writeFileSync(path.join(cwd, 'kairos.yaml'), 'strategies: []\n');
    expect(make('other')).toMatchObject({ testable: true, configured: true });
  });

  test.each(['', 'My', 'a b', '../x', 'a/b', 'a.ts', '-a', 'a-', 'a--b', '3d', 'ümlaut', 'x'.repeat(41), 'a\nb'])(
    'B22: %j is no name',
    (name) => {
      expect(() => make(name)).toThrow('a name is small letters, digits and single dashes');
      expect(files()).toEqual([]);
    },
  );

  test('what is there is never overwritten, nor hidden by a strategy of the same name', () => {
    expect(() => make('sma-cross')).toThrow('there is a strategy sma-cross already');
    mkdirSync(path.join(cwd, 'strategies'));
    for (const there of ['one.js', 'two.test.ts']) writeFileSync(path.join(cwd, 'strategies', there), 'mine');
    expect(() => make('one')).toThrow('there is a strategy one already');
    expect(() => make('two')).toThrow('strategies/two.test.ts is there already');
    expect(files()).toEqual(['one.js', 'two.test.ts']);
  });

  test('a folder that cannot be written to is named', () => {
    writeFileSync(path.join(cwd, 'strategies'), 'a file, not a folder');
    expect(() => make('my-idea')).toThrow(/strategies\/my-idea\.ts cannot be written: /);
  });
});

describe('init', () => {
  test('lays out a project that names this Kairos, in a folder that it makes', () => {
    const { written, kept, install } = initProject(path.join(cwd, 'deep/My Bot'));
    expect(kept).toEqual([]);
    expect(install).toEqual(['npm install']);
    expect([...written].sort()).toEqual(
      [
        '.gitignore',
        '.npmrc',
        'README.md',
        'ecosystem.config.mjs',
        'kairos.schema.json',
        'kairos.yaml',
        'package.json',
        'strategies/dip.test.ts',
        'strategies/dip.ts',
      ].concat(['tsconfig.json', 'vitest.config.ts']),
    );
    const folder = path.join(cwd, 'deep/My Bot');
    const project = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const own = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(project).toMatchObject({ name: 'my-bot', type: 'module', optionalDependencies: own.optionalDependencies });
    expect(project.devDependencies.vitest).toBe(own.devDependencies.vitest);
    expect(path.resolve(folder, project.dependencies.kairos.replace(/^file:/, ''))).toBe(path.resolve(ROOT));
  });

  test('files that are there stay as they are, and an own package.json is told what it lacks', () => {
    for (const name of ['README.md', 'package.json']) writeFileSync(path.join(cwd, name), '{}');
    const first = initProject(cwd);
    expect(first.kept).toEqual(['package.json', 'README.md']);
    expect(first.install).toMatchObject([
      expect.stringMatching(/^npm install \.\./),
      expect.stringMatching(/^npm install --save-dev .*vitest@/),
    ]);
    expect(readFileSync(path.join(cwd, 'README.md'), 'utf8')).toBe('{}');
    expect(initProject(cwd).written).toEqual([]);
  });

  test('a .gitignore of a repository gets what would else show secrets and the journal to git, once, and keeps what it has', () => {
    const file = path.join(cwd, '.gitignore');
    writeFileSync(file, '# mine\nnode_modules/\n/*.secret\n!keep.env');
    const lacking = ['var/', 'secrets/', 'secret', '*.secret', '.env'];
    expect(initProject(cwd).ignored).toEqual(lacking);
    const whole = ['# mine', 'node_modules/', '/*.secret', '!keep.env', ...lacking, ''].join('\n');
    expect(readFileSync(file, 'utf8')).toBe(whole);
    expect(initProject(cwd).ignored).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(whole);
    rmSync(file);
    mkdirSync(file);
    expect(() => initProject(cwd)).toThrow(/\.gitignore cannot be completed: /);
  });

  test('a package.json that names Kairos, as npm install leaves it, gets what it lacks and keeps what it has', () => {
    const file = path.join(cwd, 'package.json');
    const own = { type: 'commonjs', scripts: { test: 'mine' }, dependencies: { kairos: 'file:../kairos-0.1.0.tgz' } };
    writeFileSync(file, JSON.stringify(own));
    expect(initProject(cwd)).toMatchObject({ completed: ['scripts', 'devDependencies', 'optionalDependencies'], install: ['npm install'] });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ ...own, scripts: { start: 'kairos run', test: 'mine' } });
    expect(initProject(cwd).completed).toEqual([]);
    writeFileSync(file, JSON.stringify({ ...own, scripts: { test: 'echo "Error: no test specified" && exit 1' } }));
    initProject(cwd);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ scripts: { test: 'vitest run' } });
    writeFileSync(file, '{');
    expect(() => initProject(cwd)).toThrow(/package\.json is no package\.json of npm: /);
  });

  test('from a node_modules without package.json, it says so where that is the project, and is named by its path elsewhere', () => {
    const installed = path.join(cwd, 'node_modules/kairos');
    mkdirSync(installed, { recursive: true });
    copyFileSync(path.join(ROOT, 'package.json'), path.join(installed, 'package.json'));
    expect(() => initProject(cwd, installed)).toThrow('package.json is missing: run npm init -y, then npm install Kairos again');
    expect(files()).toEqual(['package.json']);
    initProject(path.join(cwd, 'bot'), installed);
    const { dependencies } = JSON.parse(readFileSync(path.join(cwd, 'bot/package.json'), 'utf8'));
    expect(dependencies).toEqual({ kairos: 'file:../node_modules/kairos' });
  });

  test.each(['', 'var/bot'])('not inside of Kairos itself: %j', (below) => {
    expect(() => initProject(path.join(ROOT, below))).toThrow('is inside of Kairos itself; name a folder outside');
  });
});
