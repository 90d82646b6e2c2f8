import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadStrategies } from '#assembly/assemble.ts';
import { loadConfig } from '#config/load.ts';
import { folder } from './support.ts';

const MODULE = `import { strategy } from 'kairos/strategy';
export default strategy({ name: 'quiet', signals: ({ quotes$ }) => quotes$, decide: () => undefined });
`;
const entry = (id: string, use: string) => `strategies: [{ id: ${id}, use: ${use}, product: btcusd, amount: { base: 0.01 } }]\n`;

/** A folder with files, each written with the folders above it. */
function withFiles(files: Readonly<Record<string, string>>): string {
  const cwd = folder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  }
  return cwd;
}

const load = (cwd: string, ...files: string[]) => loadConfig({ files, env: {}, cwd });
const uses = (cwd: string, ...files: string[]) => load(cwd, ...files).settings.strategies.map(({ use }) => use);

test('use is relative to the file that names it, wherever the command is typed', async () => {
  const cwd = withFiles({ 'bots/a/kairos.yaml': entry('a', './mine.ts'), 'bots/a/mine.ts': MODULE });
  expect(uses(cwd, 'bots/a/kairos.yaml')).toEqual(['./bots/a/mine.ts']);
  expect(uses(path.join(cwd, 'bots/a'), 'kairos.yaml')).toEqual(['./mine.ts']);
  mkdirSync(path.join(cwd, 'elsewhere'));
  const { settings, notes } = load(path.join(cwd, 'elsewhere'), '../bots/a/kairos.yaml');
  expect(notes).toEqual([]);
  const folders = { cwd: path.join(cwd, 'elsewhere'), packaged: path.join(cwd, 'none') };
  expect((await loadStrategies(settings, folders)).map(({ strategy }) => strategy.definition.name)).toEqual(['quiet']);
});

test('of merged files each names its modules from its own folder', () => {
  const cwd = withFiles({
    'one/kairos.yaml': entry('one', './mine.ts'),
    'one/mine.ts': MODULE,
    'two/more.yaml': entry('two', './own.ts'),
    'two/own.ts': MODULE,
    'two/limits.yaml': 'risk: { maxSpreadPct: 1 }\n',
  });
  expect(uses(cwd, 'one/kairos.yaml', 'two/limits.yaml')).toEqual(['./one/mine.ts']);
  expect(uses(cwd, 'one/kairos.yaml', 'two/more.yaml')).toEqual(['./two/own.ts']);
});

test('names of modules and whole paths stay as they are, and --set speaks of the folder of the command', () => {
  const cwd = withFiles({ 'bots/kairos.yaml': entry('a', 'sma-cross'), 'mine.ts': MODULE });
  expect(uses(cwd, 'bots/kairos.yaml')).toEqual(['sma-cross']);
  const set = ['strategies[0].use=./mine.ts'];
  expect(loadConfig({ files: ['bots/kairos.yaml'], set, env: {}, cwd }).settings.strategies[0]?.use).toBe('./mine.ts');
});

test('a path that leads somewhere from the folder of the command alone is still used, and one line says where it should lead from', () => {
  const cwd = withFiles({ 'bots/kairos.yaml': entry('a', './mine.ts'), 'mine.ts': MODULE });
  const { settings, notes } = load(cwd, 'bots/kairos.yaml');
  expect(settings.strategies[0]?.use).toBe('./mine.ts');
  expect(notes).toEqual([expect.stringMatching(/^bots\/kairos\.yaml:1: use: \.\/mine\.ts is found from the folder of the command/)]);
});

test('F69 what a module says of its start is its code too: until that is read, its strategy is being loaded', async () => {
  const slow = MODULE.replace("name: 'quiet'", "name: 'quiet', warmup: () => { throw new Error('warm') }");
  const cwd = withFiles({ 'kairos.yaml': entry('a', './slow.ts'), 'slow.ts': slow });
  const entered: (string | null)[] = [];
  const loading = { skip: new Set<string>(), enter: (id: string | null) => void entered.push(id) };
  await expect(loadStrategies(load(cwd, 'kairos.yaml').settings, { cwd, packaged: cwd }, loading)).rejects.toThrow('warm');
  expect(entered).toEqual(['a']);
});

test('what is found nowhere is said with the file that names it and the path from there', async () => {
  const cwd = withFiles({ 'bots/kairos.yaml': entry('a', './gone.ts') });
  const { settings } = load(cwd, 'bots/kairos.yaml');
  await expect(loadStrategies(settings, { cwd, packaged: cwd })).rejects.toThrow(
    new RegExp(`^bots/kairos\\.yaml:1: strategy a: use: .*${path.join(cwd, 'bots/gone.ts')} does not exist`),
  );
});
