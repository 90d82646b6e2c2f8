import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema, inspectConfig } from '#config/load.ts';
import { misfits } from '../config/schema-check.ts';
import { newFolder } from '../support/folder.ts';
import { Started } from '../support/process.ts';
import { ROOT } from '../support/root.ts';
import { added } from './added.ts';
import { allPages, type Block } from './blocks.ts';

const blocks = allPages().flatMap((page) => page.blocks);
const isReal = ({ marks }: Block): boolean => !marks.some(({ kind }) => kind === 'example');
const inLanguage = (language: string): readonly Block[] => blocks.filter((block) => block.language === language && isReal(block));

/** What a configuration lacks while no secrets are set. */
const SECRETS = /service\.(userId|apiKey|apiSecret): is needed/;

test.each(inLanguage('yaml').map((block) => [block.at, block] as const))('the settings at %s are settings', (_at, { text }) => {
  const cwd = newFolder();
  writeFileSync(path.join(cwd, 'kairos.yaml'), `${text}\n`);
  const inspected = inspectConfig({ cwd, env: {} });
  const faults = 'faults' in inspected ? inspected.faults.map(({ line }) => line).filter((line) => !SECRETS.test(line)) : [];
  expect(faults).toEqual([]);
  expect(misfits(configJsonSchema(), parse(text))).toEqual([]);
});

test('modules of the pages fit the types, each page in a folder of its own beside what README has made', async () => {
  const cwd = newFolder();
  mkdirSync(path.join(cwd, 'node_modules'));
  symlinkSync(ROOT, path.join(cwd, 'node_modules/kairos'));
  for (const name of ['rxjs', 'vitest', '@types']) symlinkSync(path.join(ROOT, 'node_modules', name), path.join(cwd, 'node_modules', name));
  writeFileSync(path.join(cwd, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(path.join(cwd, 'tsconfig.json'), JSON.stringify({ extends: path.join(ROOT, 'strategies/tsconfig.json'), include: ['.'] }));
  const pages = allPages();
  const ofReadme = pages.filter(({ path: file }) => file === 'README.md').flatMap((page) => page.blocks);
  for (const page of pages) {
    const modules = page.blocks.filter((block) => block.language === 'ts' && isReal(block));
    if (modules.length === 0) continue;
    const place = path.join(cwd, page.path.replace(/\W+/g, '-'));
    mkdirSync(place);
    for (const block of [...ofReadme.filter(({ language }) => language === 'ts'), ...modules]) {
      const file = path.join(place, fileOf(block));
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `${block.text}\n`);
    }
  }
  const tsc = new Started(process.execPath, [path.join(ROOT, 'node_modules/.bin/tsc'), '-p', cwd], { cwd });
  const { code, stdout } = await tsc.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
});

function fileOf({ at, marks }: Block): string {
  return marks.flatMap((mark) => (mark.kind === 'file' ? [mark.name] : []))[0] ?? `${at.replace(/\W+/g, '-')}.ts`;
}

/** Anchors of a page as GitHub makes them of its headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const titles = [...text.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase());
  return new Set(titles.map((title) => title.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')));
}

test('links between the pages lead somewhere, and from README every page is reached', () => {
  const pages = allPages();
  const broken: string[] = [];
  const links = new Map<string, string[]>();
  for (const { path: file, text } of pages) {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [name = '', anchor] = target.split('#');
      const to = path.posix.normalize(name === '' ? file : path.posix.join(path.posix.dirname(file), name));
      links.set(file, [...(links.get(file) ?? []), to]);
      const there = existsSync(path.join(ROOT, to));
      if (!there || (anchor !== undefined && !anchorsOf(readFileSync(path.join(ROOT, to), 'utf8')).has(anchor)))
        broken.push(`${file}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
  const reached = new Set(['README.md', 'CONTRIBUTING.md']);
  for (const file of reached) for (const to of links.get(file) ?? []) reached.add(to);
  expect(pages.map(({ path: file }) => file).filter((file) => !reached.has(file))).toEqual([]);
});

test('the walk-throughs of docs/how-to/add fit the code: the lines around each change stand at one place', () => {
  const { files, misfits } = added();
  expect(misfits).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});

test('what the walk-throughs leave is formatted, with imports and exports in order', async () => {
  const cwd = newFolder();
  const { files } = added();
  cpSync(path.join(ROOT, 'biome.json'), path.join(cwd, 'biome.json'));
  for (const { file, text } of files) {
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    writeFileSync(path.join(cwd, file), text);
  }
  const biome = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const check = ['check', '--linter-enabled=false', '--vcs-enabled=false', '--colors=off', '--max-diagnostics=none', '.'];
  const { code, stdout, stderr } = await new Started(process.execPath, [biome, ...check], { cwd }).ended;
  const pages = files.filter(({ file }) => stderr.includes(file)).map(({ file, pages: by }) => `${file}: see ${by.join(', ')}`);
  expect({ pages, said: code === 0 ? '' : stdout + stderr }).toEqual({ pages: [], said: '' });
});
