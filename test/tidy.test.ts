import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ERRORS } from '../src/domain/errors.ts';
import { REASONS } from '../src/domain/reasons.ts';

/** The rules of the architecture that can be read off the source. */
const root = fileURLToPath(new URL('..', import.meta.url));

interface Source {
  /** Path from the checkout, with `/`. */
  readonly file: string;
  readonly folder: string;
  readonly text: string;
  /** The text with comments blanked, line breaks kept. */
  readonly code: string;
}

function sourcesUnder(top: string): Source[] {
  return readdirSync(path.join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const file = path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
      const text = readFileSync(path.join(root, file), 'utf8');
      return { file, folder: file.split('/')[1] ?? '', text, code: withoutComments(text) };
    });
}

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[^:'"`\\])\/\/[^\n]*/g, (comment, before: string) => before + ' '.repeat(comment.length - before.length));
}

const src = sourcesUnder('src');
const shipped = sourcesUnder('strategies').filter(({ file }) => !file.endsWith('.test.ts'));
const web = sourcesUnder('web');

/** Lines of `sources` on which `pattern` occurs, as `file:line: text`. */
function hits(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ file, code }) =>
    code.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

/** What each folder may import besides itself, `domain` and `ports`: other folders, then packages. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: ['decimal.js'],
  ports: [],
  wire: ['undici', 'ws', 'zod'],
  time: ['rxjs'],
  market: [],
  strategy: ['rxjs', 'trading-signals', 'esbuild'],
  trading: [],
  schedule: ['node-cron', 'croner'],
  journal: ['better-sqlite3'],
  recording: ['hyparquet', 'hyparquet-writer', 'hyparquet-compressors'],
  report: ['trading', 'simple-statistics'],
  replay: ['venue/core/draws.ts', 'venue/core/matching-broker.ts', 'venue/core/quote-making.ts', 'report/headline.ts'],
  alerts: ['undici'],
  ops: ['fastify', 'prom-client'],
  webhooks: ['fastify'],
  venue: ['wire/messages.ts', 'wire/dialect.ts', 'fastify', 'ws', 'zod', 'better-sqlite3', 'jose'],
};

function importsOf(source: Source): string[] {
  return [...source.code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

/** Why an import breaks the table, or undefined. */
function breaks(source: Source, specifier: string): string | undefined {
  const allowed = MAY_IMPORT[source.folder];
  if (!allowed || specifier.startsWith('node:')) {
    return source.folder === 'domain' && specifier.startsWith('node:') ? `${source.file} imports ${specifier}` : undefined;
  }
  if (!specifier.startsWith('.')) {
    const name = specifier.split('/')[0] ?? '';
    return allowed.includes(name) ? undefined : `${source.file} imports the package ${specifier}`;
  }
  const target = path.posix.join(path.posix.dirname(source.file), specifier).replace(/^src\//, '');
  const folder = target.split('/')[0] ?? '';
  const always = source.folder === 'domain' ? ['domain'] : [source.folder, 'domain', 'ports'];
  if (always.includes(folder) && !(source.folder === 'ports' && !['ports', 'domain'].includes(folder))) return undefined;
  return allowed.includes(folder) || allowed.includes(target) ? undefined : `${source.file} imports ${target}`;
}

describe('the architecture holds', () => {
  test('rule 1: nobody but the rim reads a clock, sets a timer or draws a random number', () => {
    const rim = /^src\/(time|cli|wiring)\//;
    const clocks =
      /\bDate\.now\(|new Date\(\)|performance\.now\(|\bsetTimeout\(|\bsetInterval\(|\bsetImmediate\(|Math\.random\(|randomUUID\(/;
    expect(hits([...src.filter(({ file }) => !rim.test(file)), ...shipped], clocks)).toEqual([]);
  });

  test('rule 2: the table of imports', () => {
    const broken = src.flatMap((source) => importsOf(source).flatMap((specifier) => breaks(source, specifier) ?? []));
    expect(broken).toEqual([]);
  });

  test('the table allows nothing that nobody imports', () => {
    const used = (folder: string, name: string): boolean =>
      src.some(
        (source) =>
          source.folder === folder &&
          importsOf(source).some((specifier) => {
            const target = path.posix.join(path.posix.dirname(source.file), specifier).replace(/^src\//, '');
            return specifier === name || specifier.startsWith(`${name}/`) || target === name || target.startsWith(`${name}/`);
          }),
      );
    const idle = Object.entries(MAY_IMPORT).flatMap(([folder, names]) =>
      names.filter((name) => !used(folder, name)).map((name) => `${folder}: ${name}`),
    );
    expect(idle).toEqual([]);
  });

  test('docs/explanation/how-it-is-built.md has every folder with what it may import, and every room of wiring', () => {
    const page = readFileSync(path.join(root, 'docs/explanation/how-it-is-built.md'), 'utf8');
    const [folders = '', rooms = ''] = page.split('## Rooms');
    const cells = (text: string) => [...text.matchAll(/^\| `([\w-]+)\/` \|(?:.*\| (.*)\|)?/gm)];
    const inside = (top: string) =>
      readdirSync(path.join(root, top), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort();
    const told = new Map(
      cells(folders).map(([, folder = '', names = '']) => [folder, names.replaceAll('`', '').split(' ').filter(Boolean)]),
    );
    expect([...told.keys()].sort()).toEqual(inside('src'));
    for (const [folder, names] of told) expect({ folder, names }).toEqual({ folder, names: MAY_IMPORT[folder] ?? ['all'] });
    expect(
      cells(rooms)
        .map(([, room = '']) => room)
        .sort(),
    ).toEqual(inside('src/wiring'));
  });

  test('strategies import only what they are given', () => {
    const foreign = shipped.flatMap((source) =>
      importsOf(source)
        .filter((name) => !['kairos/strategy', 'rxjs'].includes(name))
        .map((name) => `${source.file}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test('the page has its own few packages, and of the daemon only the types of what it is told', () => {
    const packages = ['preact', 'preact/hooks', 'lightweight-charts'];
    const foreign = web.flatMap((source) =>
      importsOf(source)
        .filter((name) => !name.startsWith('.') && !packages.includes(name))
        .map((name) => `${source.file}: ${name}`),
    );
    expect(foreign).toEqual([]);
    expect(hits(web, /^import (?!type ).*'[./]+src\//)).toEqual([]);
  });

  test('the page names no other host, and puts no text into it as markup', () => {
    const links = hits(web, /https?:\/\//).filter((line) => !line.includes('https://www.tradingview.com/'));
    expect([...links, ...hits(web, /innerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|\beval\(/)]).toEqual([]);
  });

  test('rule 6: nothing retries an order or follows a redirect', () => {
    expect(hits(src, /RetryAgent|interceptors\.retry|interceptors\.redirect|maxRedirections/)).toEqual([]);
  });
});

describe('the code reads alike', () => {
  test('no loose types and no muted checks', () => {
    expect(hits([...src, ...shipped, ...web], /(:|<|\bas) any\b|as unknown as|@ts-(ignore|expect-error)|biome-ignore/)).toEqual([]);
  });

  test('nothing is left for later', () => {
    expect(hits([...src, ...shipped, ...web], /\bTODO\b|\bFIXME\b|\bXXX\b|not implemented/)).toEqual([]);
  });

  test('a file is one idea', () => {
    const long = [...src, ...shipped, ...web].filter(({ text }) => text.split('\n').length > 300).map(({ file }) => file);
    expect(long).toEqual([]);
  });

  test('names say what is inside', () => {
    const vague = [...src, ...shipped, ...web]
      .filter(({ file }) => /\/(utils?|helpers?|common|misc|manager)\b/.test(file))
      .map(({ file }) => file);
    expect(vague).toEqual([]);
  });
});

describe('the closed lists are closed', () => {
  const used = src
    .filter(({ file }) => !/domain\/(reasons|errors)\.ts$/.test(file))
    .map(({ code }) => code)
    .join('\n');

  test('every reason code is given somewhere', () => {
    expect(Object.keys(REASONS).filter((code) => !used.includes(`'${code}'`))).toEqual([]);
  });

  test('every error code is raised somewhere', () => {
    expect(Object.keys(ERRORS).filter((code) => !used.includes(`'${code}'`))).toEqual([]);
  });
});

test('the lock file and the source name no registry', () => {
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  expect(lock).not.toContain('"resolved": "http');
});
