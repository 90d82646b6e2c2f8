import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ERRORS } from '#domain/errors.ts';
import { REASONS } from '#domain/reasons.ts';
import {
  arrowsOf,
  importsOf,
  inLayers,
  roomImports,
  roomOf,
  type Source,
  sourcesUnder,
  targetOf,
  WINGS,
} from '../scripts/reference/rooms.ts';
import { givenOn, undocumented } from './support/doc-comments.ts';
import { needlessExports, textsUnder } from './support/needless-exports.ts';

/** The rules of the architecture that can be read off the source. */
const root = fileURLToPath(new URL('..', import.meta.url));

const src = sourcesUnder('src');
const shipped = sourcesUnder('strategies').filter(({ file }) => !file.endsWith('.test.ts'));
const web = sourcesUnder('web');
const beside = [...sourcesUnder('bench'), ...sourcesUnder('scripts')];

/** Lines of `sources` on which `pattern` occurs, as `file:line: text`. */
function hits(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ file, code }) =>
    code.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

/**
 * What each room may import besides itself, `domain` and `ports`: other rooms, then packages. A room is a folder of `src`, and each
 * folder of `core`, `adapters`, `research`, `daemon` and `lab`; `core` as a name stands for all of its rooms.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: ['decimal.js'],
  ports: [],
  'core/decisions': [],
  'core/market': [],
  'core/schedule': ['node-cron', 'croner'],
  'core/strategy': ['rxjs', 'trading-signals', 'esbuild', '@babel/parser', '@babel/types'],
  'core/portfolio': ['core/decisions'],
  'core/risk': ['core/decisions', 'core/portfolio'],
  'core/execution': ['core/decisions', 'core/market', 'core/portfolio', 'core/risk', 'core/schedule'],
  'core/engine': ['core', 'rxjs'],
  'core/quick-trials': ['core', 'rxjs'],
  'adapters/time': [],
  'adapters/threads': ['adapters/time'],
  'adapters/service-client': ['adapters/time', 'undici', 'ws', 'zod'],
  'adapters/journal': ['better-sqlite3'],
  'adapters/recording': ['adapters/threads', 'adapters/time', 'hyparquet', 'hyparquet-writer', 'hyparquet-compressors', 'papaparse', 'zod'],
  'adapters/export': ['adapters/recording', 'better-sqlite3'],
  'adapters/alerts': ['adapters/service-client/rest/proxy.ts', 'undici'],
  'adapters/webhook-receiver': ['fastify'],
  'adapters/doc-pages': ['marked'],
  'adapters/outside-signals': ['adapters/webhook-receiver', 'fastify'],
  'adapters/shared-jobs': ['bullmq', 'ioredis'],
  report: ['core/portfolio', 'simple-statistics', 'esbuild'],
  'paper-venue': [
    'adapters/recording/import',
    'adapters/service-client/quotes/messages.ts',
    'adapters/service-client/dialect',
    'adapters/service-client/rest/settings.ts',
    'adapters/service-client/rest/totp.ts',
    'fastify',
    'ws',
    'zod',
    'better-sqlite3',
    'jose',
  ],
  server: ['fastify', 'prom-client', 'zod'],
  config: [
    'core/schedule',
    'core/strategy',
    'core/risk',
    'core/execution',
    'adapters/service-client',
    'adapters/alerts',
    'paper-venue',
    'convict',
    'yaml',
    'node-cron',
  ],
  assembly: ['core', 'adapters', 'report', 'paper-venue', 'config', 'pino', 'pino-pretty'],
  'research/search': [],
  'research/replay': ['report', 'paper-venue/core'],
  'research/backtest': ['research/replay', 'assembly', 'core', 'adapters', 'report', 'paper-venue', 'config', 'rxjs'],
  'research/parity': ['research/replay', 'research/backtest', 'assembly', 'core', 'adapters', 'report', 'config'],
  'research/sweep': ['research/search', 'research/replay', 'research/backtest', 'assembly', 'core', 'adapters', 'report', 'config'],
  'research/workers': ['research', 'assembly', 'adapters/shared-jobs', 'core/strategy', 'config/config-text.ts'],
  'daemon/operations': ['assembly', 'research', 'core', 'adapters', 'report', 'server', 'config', 'undici'],
  'daemon/page': ['daemon/operations', 'assembly', 'core', 'adapters', 'report', 'server', 'config'],
  'daemon/run': ['daemon/operations', 'daemon/page', 'assembly', 'core', 'adapters', 'report', 'paper-venue', 'server', 'config', 'pino'],
  'daemon/fleet': ['daemon/page', 'daemon/operations', 'adapters/journal', 'config', 'server'],
  'daemon/doctor': ['assembly', 'daemon/operations', 'adapters', 'config', 'better-sqlite3'],
  cli: [
    ...['core', 'adapters', 'report', 'paper-venue', 'server', 'config', 'assembly', 'research', 'daemon', 'lab'],
    ...['commander', 'cli-table3', 'cli-progress', 'yaml'],
  ],
  'strategy-testing': ['core', 'adapters', 'paper-venue', 'config', 'assembly', 'research', 'rxjs'],
  'lab/simulator': [
    ...['core', 'adapters', 'paper-venue', 'server', 'config', 'assembly', 'research', 'daemon'],
    ...['better-sqlite3', 'cli-progress', 'node-cron', 'rxjs'],
  ],
  'lab/arena': ['lab/simulator', 'daemon/page', 'adapters/service-client/dialect', 'server', 'paper-venue', 'fastify'],
};

/** The circles of imports among files, each from its first file by name back to it; what only type-checks counts too. */
function circlesOf(sources: readonly Source[]): string[] {
  const nameOf = ({ file }: Source) => file.replace(/^src\//, '');
  const imports = new Map(sources.map((source) => [nameOf(source), importsOf(source).flatMap((name) => targetOf(source, name) ?? [])]));
  const circles = new Set<string>();
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]) => {
    const at = path.indexOf(file);
    if (at >= 0) {
      const circle = path.slice(at);
      const first = circle.indexOf([...circle].sort()[0] ?? file);
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      circles.add([...turned, turned[0]].join(' -> '));
    } else if (!done.has(file)) {
      for (const next of imports.get(file) ?? []) walk(next, [...path, file]);
      done.add(file);
    }
  };
  for (const file of imports.keys()) walk(file, []);
  return [...circles].sort();
}

/** Why an import breaks the table, or undefined. */
function breaks(source: Source, specifier: string): string | undefined {
  const room = roomOf(source.file.replace(/^src\//, ''));
  const allowed = MAY_IMPORT[room] ?? [];
  if (specifier.startsWith('node:')) return room === 'domain' ? `${source.file} imports ${specifier}` : undefined;
  const target = targetOf(source, specifier);
  if (target === undefined) {
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    return allowed.includes(name) ? undefined : `${source.file} imports the package ${specifier}`;
  }
  const always = room === 'domain' ? ['domain'] : [room, 'domain', 'ports'];
  const around = target.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));
  return [...always, ...allowed].some((name) => around.includes(name)) ? undefined : `${source.file} imports ${target}`;
}

/** The comments of a source with everything else blanked, so that lines keep their numbers. */
function commentsOf({ text }: Source): string {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  return text.replace(
    /(\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*)|'(?:\\.|[^'\\\n])*'|[^'/]+|[\s\S]/g,
    (part, comment?: string) => comment ?? blank(part),
  );
}

/** Files that comments name and that are no longer there, as `file:line: name`. */
function missingFilesIn(source: Source, files: readonly string[]): string[] {
  return commentsOf(source)
    .split('\n')
    .flatMap((line, index) => {
      const named = [...line.matchAll(/(?<![\w/.*-])[\w-][\w/.-]*\.tsx?\b/g)].map(([name]) => name);
      const gone = named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
      return gone.map((name) => `${source.file}:${index + 1}: ${name}`);
    });
}

describe('the architecture holds', () => {
  test('rule 1: nobody but the rim reads a clock, sets a timer or draws a random number', () => {
    const rim = /^src\/(adapters\/time|adapters\/service-client\/clock|assembly|research|daemon|lab\/arena\/(?!server\/)|cli)\//;
    const clocks =
      /\bDate\.now\(|new Date\(\)|performance\.now\(|\bsetTimeout\(|\bsetInterval\(|\bsetImmediate\(|Math\.random\(|randomUUID\(/;
    expect(hits([...src.filter(({ file }) => !rim.test(file)), ...shipped], clocks)).toEqual([]);
  });

  test('rule 2: the table of imports', () => {
    const broken = src.flatMap((source) => importsOf(source).flatMap((specifier) => breaks(source, specifier) ?? []));
    expect(broken).toEqual([]);
  });

  test('the table allows nothing that nobody imports', () => {
    const idle = Object.entries(MAY_IMPORT).flatMap(([room, names]) => {
      const used = src
        .filter(({ file }) => roomOf(file.replace(/^src\//, '')) === room)
        .flatMap((source) => importsOf(source).flatMap((specifier) => targetOf(source, specifier) ?? specifier));
      return names.filter((name) => !used.some((one) => one === name || one.startsWith(`${name}/`))).map((name) => `${room}: ${name}`);
    });
    expect(idle).toEqual([]);
  });

  test('docs/explanation/how-it-is-built.md has every room, and each says what it may import', () => {
    const page = readFileSync(path.join(root, 'docs/explanation/how-it-is-built.md'), 'utf8');
    const told = [...page.matchAll(/^- `([\w/-]+)\/`: /gm)].map(([, room = '']) => room);
    expect(told.sort()).toEqual(Object.keys(MAY_IMPORT).sort());
    const folders = (top: string) =>
      readdirSync(path.join(root, 'src', top), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [path.posix.join(top, entry.name)] : [],
      );
    const rooms = folders('').flatMap((top) => (WINGS.has(top) ? folders(top) : [top]));
    expect(Object.keys(MAY_IMPORT).sort()).toEqual(rooms.sort());
  });

  test('rooms import each other in no circle', () => {
    expect(inLayers(roomImports(src))).toHaveLength(Object.keys(MAY_IMPORT).length);
  });

  test('no room holds more than an eighth of the lines', () => {
    const lines = new Map<string, number>();
    for (const { file, text } of src) {
      const room = roomOf(file.replace(/^src\//, ''));
      lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length);
    }
    const all = [...lines.values()].reduce((sum, count) => sum + count, 0);
    expect([...lines].filter(([, count]) => count > all / 8)).toEqual([]);
  });

  test('the product does not load the laboratory: the commands that are its own do, when they are called', () => {
    const outside = src.filter(({ file }) => !file.startsWith('src/lab/'));
    const atStart = hits(outside, /^import (?!type\b).*'#lab\//);
    const lazy = hits(outside, /import\('#lab\//).map((line) => line.split(':')[0] ?? '');
    expect({ atStart, lazy: [...new Set(lazy)] }).toEqual({ atStart: [], lazy: ['src/cli/arena.ts', 'src/cli/trial.ts'] });
  });

  test('a circle of rooms is found; of arrows those are left out that follow from others', () => {
    const [a, b, c] = ['a', 'b', 'c'];
    expect(() =>
      inLayers(
        new Map([
          [a, [b]],
          [b, [c]],
          [c, [a]],
        ]),
      ),
    ).toThrow('a -> b -> c -> a');
    expect(
      arrowsOf(
        new Map([
          [a, [b, c]],
          [b, [c]],
          [c, []],
        ]),
      ),
    ).toEqual([
      [a, b],
      [b, c],
    ]);
  });

  test('no files import each other in a circle, types included', () => {
    expect(circlesOf([...src, ...web])).toEqual([]);
  });

  test('a circle is found and named', () => {
    const file = (name: string, code: string) => ({ file: `src/${name}`, folder: '', text: code, code });
    const found = circlesOf([
      file('a.ts', "import type { B } from './b.ts';"),
      file('b.ts', "import { c } from '#x/c.ts';"),
      file('x/c.ts', "const later = () => import('../a.ts');"),
      file('d.ts', "import './a.ts';"),
    ]);
    expect(found).toEqual(['a.ts -> b.ts -> x/c.ts -> a.ts']);
  });

  test('strategies import only what they are given', () => {
    const foreign = shipped.flatMap((source) =>
      importsOf(source)
        .filter((name) => !['kairos/strategy', 'rxjs'].includes(name))
        .map((name) => `${source.file}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test('the page has its own few packages, and of the daemon only the types of what it is told, and how texts, figures and states are shown', () => {
    const packages = ['preact', 'preact/hooks', 'lightweight-charts'];
    const foreign = web.flatMap((source) =>
      importsOf(source)
        .filter((name) => !/^[.#]/.test(name) && !packages.includes(name))
        .map((name) => `${source.file}: ${name}`),
    );
    expect(foreign).toEqual([]);
    expect(hits(web, /^import (?!type ).*'#(?!domain\/(?:one-line|money-text|duration-text|no-order-line|state-tone)\.ts')/)).toEqual([]);
  });

  test('the page names no other host, and puts no text into it as markup', () => {
    const links = hits(web, /https?:\/\//).filter((line) => !line.includes('https://www.tradingview.com/'));
    expect([...links, ...hits(web, /innerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|\beval\(/)]).toEqual([]);
  });

  test('what differs by live, paper and dry stands in domain/mode.ts, and nothing else compares modes', () => {
    const elsewhere = [...src, ...web].filter(({ file }) => file !== 'src/domain/mode.ts');
    const compared = /(?<!typeof )\bmode *[!=]==|[!=]== *'(paper|dry)'|\.mode *[!=]==|switch \([^)]*\bmode\)/;
    expect(hits(elsewhere, compared)).toEqual([]);
    expect(hits([{ file: 'src/a.ts', folder: '', text: '', code: "if (mode === 'live') return;" }], compared)).toHaveLength(1);
  });

  test('threads are started and entered by adapters/threads/thread.ts alone', () => {
    const elsewhere = src.filter(({ file }) => file !== 'src/adapters/threads/thread.ts');
    expect(hits(elsewhere, /\bnew Worker\(|\b(parentPort|workerData)\b/)).toEqual([]);
  });

  test('nothing imports the insides of a package', () => {
    const documented = new Set(['rxjs/testing', 'preact/hooks', 'vitest/node', 'jose/jwt/sign', 'jose/jwt/verify']);
    const all = [...src, ...shipped, ...web, ...beside];
    const inside = all.flatMap((source) =>
      importsOf(source)
        .filter((name) => /^(@[^/]+\/)?[\w.-]+\/./.test(name) && !name.startsWith('.') && !/^(#|node:|kairos\/)/.test(name))
        .filter((name) => !documented.has(name) && !/^@[^/]+\/[^/]+$/.test(name))
        .map((name) => `${source.file}: ${name}`),
    );
    expect(inside).toEqual([]);
  });

  test('rule 6: nothing retries an order or follows a redirect', () => {
    expect(hits(src, /RetryAgent|interceptors\.retry|interceptors\.redirect|maxRedirections/)).toEqual([]);
  });
});

const SEEN_BY_STRATEGIES = new Set(['Decided', 'Received', 'Seeded']);
const IRREGULAR =
  `Agreed Begun Bound Bought Broken Brought Built Caught Chosen Done Drawn Fallen Felt Found Given Gone Grown Heard Held Hidden
  Kept Known Laid Led Lost Made Meant Met Overdrawn Paid Put Read Rebuilt Said Seen Sent Shown Sold Spent Stolen Struck Taken Thrown Told
  Understood Withdrawn Won Written`.split(/\s+/);
const PARTICIPLE = new RegExp(`^(?:[A-Z][a-z]*[^e]ed|${IRREGULAR.join('|')}|Un(?:${IRREGULAR.join('|').toLowerCase()}))$`);

/** Types that are called by a participle, as `file: name`. */
function participlesIn({ file, code }: Source): string[] {
  const declared = code.matchAll(/^\s*(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|(?:const )?enum) (\w+)/gm);
  return [...declared].flatMap(([, name = '']) => (PARTICIPLE.test(name) && !SEEN_BY_STRATEGIES.has(name) ? [`${file}: ${name}`] : []));
}

describe('the code reads alike', () => {
  test('no loose types and no muted checks', () => {
    expect(hits([...src, ...shipped, ...web], /(:|<|\bas) any\b|as unknown as|@ts-(ignore|expect-error)|biome-ignore/)).toEqual([]);
  });

  test('nothing is left for later', () => {
    expect(hits([...src, ...shipped, ...web], /\bTODO\b|\bFIXME\b|\bXXX\b|not implemented/)).toEqual([]);
  });

  test('a file is one idea', () => {
    const long = [...src, ...shipped, ...web].filter(({ text }) => text.split('\n').length > 400).map(({ file }) => file);
    expect(long).toEqual([]);
  });

  test('an exported type has a name of its own', () => {
    const files = new Map<string, string[]>();
    for (const { file, code } of [...src, ...web]) {
      for (const [, name = ''] of code.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)) {
        files.set(name, [...(files.get(name) ?? []), file]);
      }
    }
    expect([...files].filter(([, of]) => of.length > 1).map(([name, of]) => `${name}: ${of.join(', ')}`)).toEqual([]);
  });

  test('no type, public or private, is called by a participle, but for what strategies see', () => {
    expect([...src, ...web, ...beside].flatMap(participlesIn)).toEqual([]);
  });

  test('a participle as a name is found, and not one before a noun', () => {
    const code =
      'type Seen = 1;\n  export abstract class Unsaid {}\ninterface Tried<T> {}\nenum Feed {}\nclass LoadedStrategy {}\ntype Misdeed = 1;';
    const found = participlesIn({ file: 'src/x.ts', folder: '', text: code, code });
    expect(found).toEqual(['src/x.ts: Seen', 'src/x.ts: Unsaid', 'src/x.ts: Tried']);
  });

  const texts = textsUnder(root);
  const everyFile = [...texts.keys(), 'vitest.config.ts'];

  test('comments name files that exist', () => {
    expect([...src, ...shipped, ...web].flatMap((source) => missingFilesIn(source, everyFile))).toEqual([]);
  });

  test('a file that is gone is found in a comment, and not in a text', () => {
    const text = "/** See `gone.ts` and `a/here.ts`. */\nconst told = 'of none.ts'; // nor.ts";
    expect(missingFilesIn({ file: 'src/x.ts', folder: '', text, code: '' }, ['src/a/here.ts'])).toEqual([
      'src/x.ts:1: gone.ts',
      'src/x.ts:2: nor.ts',
    ]);
  });

  test('what is exported is imported by somebody', () => {
    expect(needlessExports(texts)).toEqual([]);
  });

  test('an export that nobody imports is found', () => {
    const texts = new Map([
      ['src/a/b.ts', 'export const used = 1;\nexport type Lonely = 2;\nexport { other as again } from "./c.ts";'],
      ['src/a/c.ts', 'export const other = 1;'],
      ['test/a.test.ts', "import { used } from '#a/b.ts';"],
    ]);
    expect(needlessExports(texts)).toEqual(['src/a/b.ts: Lonely', 'src/a/b.ts: other']);
  });

  test('what is public says what it is for, in which units, and what it throws', () => {
    const index = 'src/core/strategy/index.ts';
    const given = givenOn(index, src.find(({ file }) => file === index)?.text ?? '');
    expect(given.size).toBeGreaterThan(10);
    expect(src.flatMap(({ file, text }) => undocumented(file, text, given.get(file)))).toEqual([]);
  });

  test('a comment that is missing is found, and one that says too little', () => {
    const text = `
export function price(size: number): number {
  if (size > 0) return size;
  return -size;
}
/** Reads it. */
export const read = (text: string): string => {
  if (text === '') throw new KairosError('USAGE', 'no text');
  return text;
};
/** A lane. */
export interface Lane { readonly size: number; readonly waitMs: number }
/** Its sizes. Throws a RangeError. */
export class Sizes {
  of(lane: string): number {
    throw new KairosError('NOT_FOUND', lane);
  }
}
export const near = (a: number, b: number): boolean => Math.abs(a - b) < 1;
`;
    expect(undocumented('src/a.ts', text)).toEqual([
      'src/a.ts:2: price: no comment says what it is for',
      'src/a.ts:7: read: its comment does not say what it throws',
      'src/a.ts:12: Lane.size: no unit',
      'src/a.ts:15: Sizes.of: its comment does not say what it throws',
    ]);
  });

  test('what is public is short of nothing: each export has its words, each error and each number', () => {
    const text = `
export type Side = 'buy' | 'sell';
/** The half of it. */
export const half = (price: number): number => price / 2;
/** A period. */
export function period(n: number): void {
  if (n < 1) throw new RangeError('a period is at least 1');
}
/** Reads it. */
export function read(text: string): unknown {
  try {
    if (text === '') throw new Error('empty');
  } catch {}
  return text;
}
`;
    const missing = [
      'src/domain/a.ts:2: Side: no comment says what it is for',
      'src/domain/a.ts:4: half: no unit of price',
      'src/domain/a.ts:4: half: no unit of its result',
      'src/domain/a.ts:6: period: its comment does not say what it throws',
    ];
    expect(undocumented('src/domain/a.ts', text)).toEqual(missing);
    expect(undocumented('src/core/b.ts', text)).toEqual([]);
    const given = givenOn('src/core/index.ts', "export { half, type Side } from './b.ts';").get('src/core/b.ts');
    expect(undocumented('src/core/b.ts', text, given)).toHaveLength(3);
  });

  test('names say what is inside', () => {
    const vague = [...src, ...shipped, ...web]
      .filter(({ file }) => /\/(utils?|helpers?|common|misc|manager)\b/.test(file))
      .map(({ file }) => file);
    expect(vague).toEqual([]);
  });
});

/** Tests that let real time go by, and why no event can be waited for instead: time is what they test, or that nothing comes. */
const LETS_TIME_GO_BY: Readonly<Record<string, string>> = {
  'test/adapters/service-client/quotes/quote-socket.test.ts': 'nothing more is told',
  'test/conformance/independent/client/client.test.ts': 'no order comes',
  'test/daemon/run/threads/webhooks.test.ts': 'so many a second',
  'test/docs/pages.test.ts': 'between looks',
  'test/pm2/pm2.test.ts': 'no restart follows',
  'test/process/rotate-kill.test.ts': 'kills at several moments',
  'test/process/signals.test.ts': 'two presses of Ctrl-C',
  'test/process/starved.test.ts': 'a process that stands still',
  'test/process/webhooks.test.ts': 'so many a second',
  'test/rim/lanes.test.ts': 'an acknowledgement that is late',
  'test/scenarios/faults-of-requests.test.ts': 'no request follows',
  'test/server/control/starved.test.ts': 'connections that come back',
};

describe('a test says yes or no about the code, and nothing about the machine', () => {
  const tests = sourcesUnder('test').filter(({ file }) => file.endsWith('.test.ts'));

  test('it waits for events: who lets time go by instead is named with the reason', () => {
    const waits = /setTimeout as \w+ \} from 'node:timers|=> (void )?setTimeout\(/;
    const found = tests.filter(({ file, text }) => file !== 'test/tidy.test.ts' && waits.test(text)).map(({ file }) => file);
    expect(found.sort()).toEqual(Object.keys(LETS_TIME_GO_BY));
  });

  test('it holds nothing to the time that went by', () => {
    expect(hits(tests, /expect\([^)]*(performance|Date)\.now\(\) - |\bretry: /)).toEqual([]);
  });
});

describe('the closed lists are closed', () => {
  const used = src
    .filter(({ file }) => !/domain\/(limits|reasons|errors)\.ts$/.test(file))
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
