import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { PageFiles } from '#daemon/page/page-files.ts';
import { builtPage } from '#report/page/page-build.ts';
import { newFolder } from '../support/folder.ts';
import { ROOT } from '../support/root.ts';

let folder: string;
let task: { readonly source: string; readonly cache: string };

beforeEach(() => {
  folder = newFolder();
  task = { source: path.join(folder, 'web'), cache: path.join(folder, 'var', 'page') };
  mkdirSync(path.join(task.source, 'parts'), { recursive: true });
  writeFileSync(path.join(task.source, 'parts', 'word.ts'), 'export const word: string = "hello";\n');
  writeFileSync(path.join(task.source, 'main.tsx'), 'import { word } from "./parts/word.ts";\ndocument.title = word;\n');
  writeFileSync(path.join(task.source, 'style.css'), 'body { color: red }\n');
  writeFileSync(path.join(task.source, 'index.html'), '<!doctype html>\n');
  writeFileSync(path.join(task.source, 'icon.svg'), '<svg/>\n');
});

const names = () =>
  builtPage(task)
    .map(({ name }) => name)
    .sort();

test('the page is built once for its source, and anew when a file of it changes', () => {
  expect(names()).toEqual(['icon.svg', 'index.html', 'main.js', 'style.css']);
  const first = readdirSync(task.cache);
  expect(first).toHaveLength(1);
  expect(names()).toEqual(['icon.svg', 'index.html', 'main.js', 'style.css']);
  writeFileSync(path.join(task.source, 'parts', 'word.ts'), 'export const word: string = "other";\n');
  const changed = builtPage(task);
  expect(Buffer.from(changed.find(({ name }) => name === 'main.js')?.body ?? []).toString()).toContain('other');
  const second = readdirSync(task.cache);
  expect(second).toHaveLength(1);
  expect(second).not.toEqual(first);
});

test('what the page imports from elsewhere counts as its own; a file that it does not import builds nothing anew', () => {
  const shared = path.join(folder, 'shared.ts');
  const script = () => Buffer.from(builtPage(task).find(({ name }) => name === 'main.js')?.body ?? []).toString();
  writeFileSync(shared, 'export const shared = "one";\n');
  writeFileSync(path.join(task.source, 'parts', 'word.ts'), 'export { shared as word } from "../../shared.ts";\n');
  expect(script()).toContain('one');
  const first = readdirSync(task.cache);
  writeFileSync(path.join(task.source, 'notes.ts'), 'export const notes = "";\n');
  expect([script(), readdirSync(task.cache)]).toEqual([expect.stringContaining('one'), first]);
  writeFileSync(shared, 'export const shared = "two";\n');
  expect(script()).toContain('two');
  rmSync(shared);
  expect(() => builtPage(task)).toThrow('shared.ts');
});

test('a folder that cannot be written keeps the page from nothing', () => {
  writeFileSync(path.join(folder, 'var'), 'no folder\n');
  expect(names()).toContain('main.js');
});

test('a source that cannot be built is told of on the page, and once it is mended the page is there', async () => {
  writeFileSync(path.join(task.source, 'parts', 'word.ts'), 'export const <\n');
  const files = new PageFiles(task);
  const excuse = (await files.asset('/'))?.body.toString();
  expect(excuse).toContain('The page could not be built');
  expect(excuse).toContain('word.ts:1:13: ERROR: Expected identifier but found "&#60;"');
  expect(await files.asset('/main.js')).toBeUndefined();
  writeFileSync(path.join(task.source, 'parts', 'word.ts'), 'export const word = "hello";\n');
  expect((await files.asset('/main.js'))?.type).toBe('text/javascript; charset=utf-8');
  expect((await files.asset('/'))?.body.toString()).toBe('<!doctype html>\n');
  expect(await files.asset('/../main.tsx')).toBeUndefined();
  await files.close();
});

const scriptsOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    builtPage({ source: path.join(ROOT, folder), cache: null })
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ name, body }) => [name, Buffer.from(body).toString()]),
  );

const kBOf = (texts: Iterable<string>): number => [...texts].reduce((sum, text) => sum + text.length, 0) / 1_000;

test('the page is drawn by 124 kB of script, and the library of charts comes beside it', () => {
  const scripts = scriptsOf('web');
  const first = new Set(['main.js']);
  for (const name of first) {
    const text = scripts.get(name) ?? '';
    for (const [, imported = ''] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) first.add(imported);
  }
  expect(kBOf([...first].map((name) => scripts.get(name) ?? ''))).toBeLessThan(124);
  for (const [name, text] of scripts) expect(kBOf([text]), name).toBeLessThan(250);
  expect(kBOf(scripts.values()), 'with what is loaded on demand').toBeLessThan(340);
  expect([...scriptsOf('web/report').keys()], 'a report is one file').toEqual(['main.js']);
});
