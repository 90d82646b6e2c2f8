import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { loadStrategy, sourceHashOf, strategyNames } from '#core/strategy/loader.ts';
import { folderOfTests } from '../../support/folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const packaged = path.join(root, 'strategies');
/** Those that come with Kairos, and those that somebody has added to the checkout. */
const names = readdirSync(packaged)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => path.parse(file).name)
  .sort();
const cwd = folderOfTests();

// JavaScript's own objects are open here, and one of the modules changes them.
const { prepareStackTrace } = Error;
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
});

/** Writes a module into the user's folder and returns its path. */
function given(name: string, source: string): string {
  const file = path.join(cwd, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, source);
  return file;
}

const load = (use: string) => loadStrategy(use, { cwd, packaged });

const module_ = (body: string, imports = "import { strategy } from 'kairos/strategy';") =>
  `${imports}\nexport default strategy({ name: 'x', signals: ({ quotes$ }) => quotes$, decide: () => undefined, ${body} });\n`;

describe('a strategy is found', () => {
  test('by name among those that come with Kairos', async () => {
    const { definition, file, sourceHash } = await load('sma-cross');
    expect(definition.name).toBe('sma-cross');
    expect(file).toBe(path.join(packaged, 'sma-cross.ts'));
    expect(sourceHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("the user's own comes before the packaged one, and a path names any file", async () => {
    const own = given('strategies/buy-and-hold.ts', module_('concurrent: true'));
    expect((await load('buy-and-hold')).file).toBe(own);
    expect((await load('./strategies/buy-and-hold')).file).toBe(own);
    expect((await load(own)).file).toBe(own);
    expect((await load('strategies/buy-and-hold.ts')).file).toBe(own);
    expect(strategyNames({ cwd, packaged })).toEqual(names);
    rmSync(own);
  });

  test('B40 B18: a misspelt name is answered with the nearest one', async () => {
    await expect(load('sma-cros')).rejects.toMatchObject({
      code: 'STRATEGY_NOT_FOUND',
      message: expect.stringContaining("did you mean 'sma-cross'?"),
    });
    await expect(load('moonshot')).rejects.toThrow(`there are ${names.join(', ')}`);
  });

  test.each(['./nothing.ts', './strategies', '../../../etc', '/dev/null', '', '../sma-cross'])('B40 B19: %j is not found', async (use) => {
    mkdirSync(path.join(cwd, 'strategies'), { recursive: true });
    await expect(load(use)).rejects.toMatchObject({ code: 'STRATEGY_NOT_FOUND' });
  });
});

describe('I31 the hash tells which code ran', () => {
  test('it changes with the module and with what it imports, not with where it lies', async () => {
    const source = `import { two } from './part.ts';\n${module_('concurrent: two > 1')}`;
    for (const folder of ['one', 'other']) {
      given(`${folder}/part.ts`, 'export const two = 2;');
      given(`${folder}/s.ts`, source);
    }
    const first = await load('./one/s.ts');
    expect((await load('./other/s.ts')).sourceHash).toBe(first.sourceHash);
    given('one/part.ts', 'export const two = 3;');
    expect((await load('./one/s.ts')).sourceHash).not.toBe(first.sourceHash);
  });

  test('it changes with a package that is imported, with what that depends on, and with a file by #name', async () => {
    const hashOf = async (folder: string, files: Readonly<Record<string, string>>): Promise<string> => {
      const all = {
        'package.json': '{"name":"mine","imports":{"#own":"./own.js"}}',
        'own.js': 'export const four = 4;',
        'var/k.db': folder,
        'node_modules/lib/package.json':
          '{"version":"1.0.0","exports":{"import":"./i.js"},"type":"module","peerDependencies":{"deep":"1"}}',
        'node_modules/lib/i.js': "export { two } from './two.js';",
        'node_modules/lib/two.js': "export { two } from 'deep';",
        'node_modules/deep/package.json': '{"version":"1.0.0","type":"module"}',
        'node_modules/deep/index.js': 'export const two = 2;',
        's.ts': `import { two } from 'lib';\nimport { four } from '#own';\n${module_('concurrent: two < four')}`,
        ...files,
      };
      for (const [name, text] of Object.entries(all)) given(`${folder}/${name}`, text);
      return sourceHashOf(`./${folder}/s.ts`, { cwd, packaged });
    };
    const first = await hashOf('p1', {});
    expect(await hashOf('p2', {})).toBe(first);
    const others = [
      await hashOf('p3', { 'node_modules/lib/two.js': "import { two as one } from 'deep'; export const two = one + 1;" }),
      await hashOf('p4', { 'node_modules/deep/index.js': 'export const two = 3;' }),
      await hashOf('p5', { 'own.js': 'export const four = 5;' }),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
    // A process runs a package as it was first loaded.
    expect(await hashOf('p1', { 'node_modules/deep/index.js': 'export const two = 4;' })).toBe(first);
  });
});

describe('B40: a module that breaks the contract is refused, with its place', () => {
  test.each<[string, string, string]>([
    ['nothing', 'export const x = 1;', 'exports nothing to run'],
    ['an object', 'export default { name: "x" };', 'was not made by strategy()'],
    ['a promise of one', 'const p = { then() {} }; export default p;', 'was not made by strategy()'],
    ['null', 'export default null;', 'was not made by strategy()'],
    ['a clock', module_('where: () => Date.now() > 0'), 'bad.ts:2:111: Date.now reads'],
    ['an await', `${module_('')}await 1;`, 'bad.ts:3:1: await is not for strategies'],
    ['a file that is not there', "import './gone.ts';", "bad.ts:1:8: there is no file './gone.ts'"],
    [
      'an input without a kind',
      module_('inputs: { hedge: 1 }'),
      'bad.ts:2:108: inputs.hedge: declare it with lane(), basic(), fullBook() or signal()',
    ],
    ['an input called main', module_("inputs: { main: { kind: 'lane' } }"), "'main' is the configured lane"],
    ['a state without on', module_('state: { initial: 1 }'), 'state needs initial and on(state, event, params)'],
    ['a warm-up that is no function', module_('warmup: { quotes: 5 }'), 'warmup must be a function of the parameters'],
    ['an unknown word on legs', module_("onLegFailure: 'undo'"), "onLegFailure must be 'keep' or 'unwind'"],
    [
      'no decide',
      "import { strategy } from 'kairos/strategy'; export default strategy({ name: 'x', signals: (m) => m.quotes$ });",
      'needs decide()',
    ],
    ['no name', module_("name: ''"), 'needs a name'],
    ['a parameter without kind', module_('params: { fast: 20 }'), 'params.fast: declare it with param.int()'],
    [
      'a default out of bounds',
      module_('params: { n: param.int(0, { min: 1 }) }', "import { param, strategy } from 'kairos/strategy';"),
      'bad.ts:2:108: params.n: the default must be at least 1, not 0',
    ],
    ...[
      [
        "choice(['long', 'short'], 'long')",
        "param.choice takes its default first, then the list of what it may be, as in param.choice('long', ['long', 'short'])",
      ],
      ["choice('long')", 'param.choice takes its default first, then the list of what it may be, as in param.choice('],
      ["choice('long', ['long', 2])", 'what a choice may be are texts, not 2, as in param.choice('],
      ["choice('longe', ['long', 'short'])", 'the default must be one of long, short, not "longe", as in param.choice('],
      [
        'int(20, 1, 100)',
        'param.int takes its default, then an object with any of min, max, sweep, log, as in param.int(20, { min: 1, max: 100 })',
      ],
      ['number(20, [1, 100])', 'param.number takes its default, then an object with any of min, max, sweep, log, as in param.number('],
      ['int(20, { mim: 1 })', "param.int has no 'mim': it takes its default, then an object with any of min, max, sweep, log, as in"],
      ["int(20, { min: '1' })", 'min must be a number, not "1", as in param.int('],
      ['int(20, { min: 30, max: 10 })', 'its min of 30 is above its max of 10'],
      ["int('20')", 'the default must be a number, not "20", as in param.int('],
      ['int()', 'the default must be a number, not undefined, as in param.int('],
      ['number(0 / 0)', 'the default must be a number, not NaN, as in param.number('],
      ["bool('yes')", 'the default must be true or false, not "yes", as in param.bool(true)'],
      ['text(20)', "the default must be text, not 20, as in param.text('usd')"],
    ].map(([written = '', what = '']): [string, string, string] => [
      `param.${written}`,
      module_(`params: {\n  n: param.${written} }`, "import { param, strategy } from 'kairos/strategy';"),
      `bad.ts:3:3: params.n: ${what}`,
    ]),
    ...[
      ['log: true, sweep: [0, 100, 2]', 'with log its sweep must begin above 0, of which there is a logarithm, not [0,100,2]'],
      ['log: true, sweep: [1, 100, 1]', 'with log the last number of its sweep is a factor above 1, such as [20, 320, 2], not [1,100,1]'],
      ['sweep: [9, 1, 1]', 'sweep must begin with the lower end, not [9,1,1]'],
      ['sweep: [1, 9, 0]', 'sweep needs a step above 0, not [1,9,0]'],
    ].map(([options = '', what = '']): [string, string, string] => [
      `a range with ${options}`,
      module_(`params: { n: param.int(5, { ${options} }) }`, "import { param, strategy } from 'kairos/strategy';"),
      `bad.ts:2:108: params.n: ${what}`,
    ]),
    ['a getter that throws', module_("get where() { throw new Error('gotcha'); }"), 'gotcha'],
    ['a throw at the top', "throw new Error('top');", 'top'],
    ...[
      ['indirect eval', "(0, eval)('1');", 'bad.ts:1:5: '],
      ['the constructor of a function', "(() => 0).constructor('return 1')();", 'bad.ts:1:1: '],
      ['a constructor by its name', "const { constructor: made } = () => 0;\nmade('return 1')();", 'bad.ts:2:'],
      ['a constructor by reflection', "Reflect.get(function* () {}, 'constructor')('yield 1');", 'bad.ts:1:'],
      [
        'the constructor behind another',
        "const made = Object.getPrototypeOf(Reflect.get(function* () {}, 'constructor'));\nmade('return 1')();",
        'bad.ts:2:',
      ],
      ['a constructor that somebody else calls', "['return 1'].map(Reflect.get(() => 0, 'constructor'));", 'bad.ts:1:'],
      ['a stack without its file', "Error.prepareStackTrace = () => '';\nReflect.get(() => 0, 'constructor')('return 1')();", 'bad.ts'],
    ].map(([name = '', source = '', where = '']): [string, string, string] => [`code from text by ${name}`, source, where]),
    ['a syntax error', 'const x = 1;\nconst = 2;', 'bad.ts:2:7: '],
  ])('%s', async (_name, source, message) => {
    given('bad.ts', source);
    await expect(load('./bad.ts')).rejects.toMatchObject({ code: 'STRATEGY_INVALID', message: expect.stringContaining(message) });
  });

  test('a breach in an imported file names that file', async () => {
    given('part.ts', '\n\nexport const x = Math.random();');
    given('whole.ts', `import { x } from './part.js';\n${module_('concurrent: x > 0')}`);
    await expect(load('./whole.ts')).rejects.toThrow(/^part\.ts:3:18: Math\.random/);
  });

  test.each(['part.cjs', 'part.cts', 'part.txt'])('a file that no rule is held against, such as %s, is not imported', async (file) => {
    given(file, 'exports.at = Date.now();');
    given('whole.ts', `import { at } from './${file}';\n${module_('concurrent: at > 0')}`);
    await expect(load('./whole.ts')).rejects.toMatchObject({
      code: 'STRATEGY_INVALID',
      message: expect.stringContaining('whole.ts:1:20: '),
    });
  });

  test('code from text is refused by each way with the words for it', async () => {
    given('bad.ts', "const { constructor: made } = () => 0;\nmade('return 1')();");
    await expect(load('./bad.ts')).rejects.toThrow('code made from text is not for strategies: write it in the file');
  });

  test.each([
    ['a chain of members', `export const a = x${'.b'.repeat(200_000)};`, 'deep.ts:1:18: '],
    ['lists in lists', `export const a = ${'['.repeat(50_000)}${']'.repeat(50_000)};`, 'deep.ts: '],
  ])('B19: %s without an end is one clear line', async (_name, source, where) => {
    given('deep.ts', source);
    await expect(load('./deep.ts')).rejects.toMatchObject({
      code: 'STRATEGY_INVALID',
      message: `${where}more than 1000 expressions stand in each other: give parts of it names of their own`,
    });
  });

  test('B13 B19: a megabyte is no strategy', async () => {
    given('big.ts', `//${'x'.repeat(1_000_001)}`);
    await expect(load('./big.ts')).rejects.toThrow('too many for a strategy module');
  });
});

/** Loads in a Node of its own, without vitest's loader: what a user's daemon does. */
async function inNode(script: string, options: readonly string[] = []): Promise<string> {
  const loader = path.join(root, 'src/core/strategy/loader.ts');
  const host = path.join(root, 'src/core/strategy/index.ts');
  const code = `
    import { writeFileSync } from 'node:fs';
    const { loadStrategy } = await import(${JSON.stringify(loader)});
    const host = await import(${JSON.stringify(host)});
    const rxjs = await import(${JSON.stringify(path.join(root, 'node_modules/rxjs/dist/cjs/index.js'))});
    const load = (use) => loadStrategy(use, ${JSON.stringify({ cwd, packaged })});
    const write = (name, text) => writeFileSync(${JSON.stringify(`${cwd}/`)} + name, text);
    ${script}`;
  const { stdout } = await promisify(execFile)(process.execPath, [...options, '--input-type=module', '-e', code], { cwd });
  return stdout.trim();
}

describe('in any folder, in plain Node', () => {
  const rich = `
import { Observable } from 'rxjs';
import { map } from 'rxjs/operators';
import { buy, Quote, strategy } from 'kairos/strategy';
import { level } from './lib/level.js';
import { Kind } from './lib/kind';
enum Mode { Off, On }
function logged(value: unknown, _context: ClassMethodDecoratorContext) { return value as never; }
class Price { constructor(public readonly value: number) {} @logged get() { return this.value; } }
export default strategy({
  name: 'rich' + Mode.On + Kind.B + level,
  signals: ({ quotes$ }) => {
    if (!(quotes$ instanceof Observable)) throw new Error('two copies of rxjs');
    return quotes$.pipe(map((q: Quote) => new Price(q.buy.price).get()));
  },
  decide: () => {
    throw new Error('on line 17');
  },
});
`;

  test.each([
    ['no package.json', undefined],
    ['a package.json without type', '{ "name": "mine" }'],
    ['a package.json of CommonJS', '{ "type": "commonjs" }'],
  ])('%s: enums, decorators, parameter properties, .js for .ts, no extension, right lines', async (_name, manifest) => {
    given('plain/lib/level.ts', 'export const level: number = 7;');
    given('plain/lib/kind.ts', 'export enum Kind { A, B }');
    given('plain/rich.ts', rich);
    if (manifest !== undefined) given('plain/package.json', manifest);
    const out = await inNode(`
      const { definition } = await load('./plain/rich.ts');
      const quotes$ = new rxjs.Subject();
      const seen = [];
      definition.signals({ quotes$ }, {}).subscribe((x) => seen.push(x));
      quotes$.next({ buy: { price: 5 } });
      let at = '';
      try { definition.decide() } catch (error) { at = /rich\\.ts:(\\d+)/.exec(error.stack)[1] }
      console.log(JSON.stringify([definition.name, seen, at]));`);
    expect(JSON.parse(out)).toEqual(['rich117', [5], '17']);
  });

  test('rxjs, which the command loads as one file, has the names that it has in its many', async () => {
    // As the loader asks for it: in the place of the strategy.
    const from = JSON.stringify(pathToFileURL(path.join(root, 'src/core/strategy/module-hooks.ts')).href);
    const said = `
      const { registerHooks } = await import('node:module');
      const resolve = (name, context, next) => name.startsWith('host:') ? next(name.slice(5), { ...context, parentURL: ${from} }) : next(name, context);
      registerHooks({ resolve });
      const [rx, operators] = [await import('host:rxjs'), await import('host:rxjs/operators')];
      const namesOf = (all) => Object.keys(all).filter((name) => !['default', 'module.exports', '__esModule'].includes(name)).sort();
      console.log(JSON.stringify([namesOf(rx), namesOf(operators), rx.map === operators.map, rx.merge === operators.merge]));`;
    const own = path.join(root, 'scripts/own-modules.mjs');
    const asOne: unknown = JSON.parse(await inNode(said, ['--import', own]));
    expect(asOne).toEqual(JSON.parse(await inNode(said)));
    expect(asOne).toMatchObject([expect.arrayContaining(['map', 'Subject']), expect.arrayContaining(['map']), true, false]);
  });

  test('weights of a model are part of the hash: with other ones it is another strategy', async () => {
    const source = 'export default strategy({ name: weights.name, signals: (m) => m.quotes$, decide: () => undefined });';
    const imports = "import { strategy } from 'kairos/strategy';\nimport weights from './weights.json' with { type: 'json' };";
    given('model/weighted.ts', `${imports}\n${source}`);
    given('model/weights.json', '{ "name": "first", "bias": 0.5 }');
    const { definition, sourceHash } = await load('./model/weighted.ts');
    expect(definition.name).toBe('first');
    expect((await load('./model/weighted.ts')).sourceHash).toBe(sourceHash);
    given('model/weights.json', '{ "name": "first", "bias": 0.6 }');
    expect((await load('./model/weighted.ts')).sourceHash).not.toBe(sourceHash);
    const out = await inNode("console.log((await load('./model/weighted.ts')).definition.name)");
    expect(out.trim()).toBe('first');
  });

  test('a reload runs the edited module and the edited file beside it', async () => {
    given('part.ts', "export const name = 'before';");
    given(
      'again.ts',
      `import { strategy } from 'kairos/strategy';\nimport { name } from './part.ts';\nexport default strategy({ name, signals: (m) => m.quotes$, decide: () => undefined });`,
    );
    const out = await inNode(`
      const first = await load('./again.ts');
      write('part.ts', "export const name = 'after';");
      const second = await load('./again.ts');
      console.log(first.definition.name, second.definition.name, first.sourceHash === second.sourceHash);`);
    expect(out).toBe('before after false');
  });

  test('syntax errors and shipped strategies, as in the daemon', async () => {
    given('bad.ts', 'const x = 1;\nconst = 2;');
    const out = await inNode(`
      const names = [];
      for (const use of ['sma-cross', 'ema-cross', 'buy-and-hold', 'coin-flip']) names.push((await load(use)).definition.name);
      const error = await load('./bad.ts').catch((error) => error);
      console.log(names.join(), error.code, error.message.includes('bad.ts:2:7'));`);
    expect(out).toBe('sma-cross,ema-cross,buy-and-hold,coin-flip STRATEGY_INVALID true');
  });

  const CHANGES: readonly (readonly [change: string, why: string])[] = [
    ['Array.prototype.push = () => 0;', "read only property 'push'"],
    ['Array.prototype[Symbol.iterator] = () => 0;', 'read only property'],
    ['Reflect.deleteProperty(Map.prototype, "get") || missing();', 'missing is not defined'],
    ['Object.defineProperty(Object.prototype, "size", { get: () => 7 });', 'size, object is not extensible'],
    ['Object.prototype.toString = () => "";', "Cannot assign to 'toString', which all code shares"],
    ['Object.getPrototypeOf(new Set().values()).next = () => 0;', "read only property 'next'"],
    ['Object.getPrototypeOf(function* () {}).constructor = () => 0;', 'read only property'],
    ['Array.prototype.map.call = () => 0;', 'property call, object'],
    ['RegExp.prototype.exec = () => null;', "read only property 'exec'"],
    ['Map = 0;', "read only property 'Map'"],
    ['JSON.parse = () => 0;', "read only property 'parse'"],
    ['Error.captureStackTrace = () => 0;', "read only property 'captureStackTrace'"],
    ['Math.max = () => 0;', "read only property 'max'"],
    ["Error.prepareStackTrace = () => { throw 'no stack'; }; missing();", 'missing is not defined'],
    ["import { Subject } from 'rxjs'; Subject.prototype.next = () => {};", "read only property 'next'"],
    ["import { Observable } from 'rxjs'; Observable.prototype.pipe = () => 0;", "read only property 'pipe'"],
    ["import { Observable } from 'rxjs'; Observable.prototype.lift = () => 0;", "Cannot assign to 'lift', which all code shares"],
    ["import { config } from 'rxjs'; config.onUnhandledError = () => {};", "read only property 'onUnhandledError'"],
    ['[process][0].exit();', "reading 'exit'"],
    ['[Promise][0].reject(0);', "reading 'reject'"],
    ['[fetch][0]("http://127.0.0.1/");', 'is not a function'],
    ['[performance][0].now();', "reading 'now'"],
    ['Intl.DateTimeFormat().format();', "Intl.DateTimeFormat without a date reads the machine's clock: use view.now"],
    ['new Intl.DateTimeFormat("en").formatToParts(undefined);', 'without a date reads'],
    ['new (class Day extends Date {})();', 'new Date without argument reads'],
    ['((D) => new D())(Date);', 'new Date without argument reads'],
    ['[Date][0]();', 'Date called as a function reads'],
    ['new Date(0).constructor.now();', 'Date.now reads'],
    ['Object.getPrototypeOf(class extends Date {}).now();', 'Date.now reads'],
    ['({ m: Math }).m.random();', 'Math.random cannot be replayed: use view.random'],
    ['((m) => m.random())(Math);', 'Math.random cannot be replayed'],
    ['[Intl][0].DateTimeFormat.prototype.format;', 'incompatible receiver|not an object'],
    ['Date = 0;', "read only property 'Date'"],
  ];

  test('what is told of a given time is as ever: dates, formats of dates and numbers, and classes of them', async () => {
    given('plain/node_modules/dated/package.json', '{"type":"module"}');
    given(
      'plain/node_modules/dated/index.js',
      'export const isDate = (one) => one instanceof Date; export const made = () => new Date(0);',
    );
    given(
      'plain/times.ts',
      `import { strategy } from 'kairos/strategy';
import { isDate, made } from 'dated';
class Day extends Date { get isSunday() { return this.getUTCDay() === 0; } }
const at = new Date('2026-03-01T12:00:00Z');
const format = new Intl.DateTimeFormat('en', { timeZone: 'UTC', dateStyle: 'medium' });
const said = [
  at.toISOString(), Date.UTC(2026, 2, 1) < Date.parse('2026-03-02'), at instanceof Date, new Day(at).isSunday, new Day(at) instanceof Date,
  Object.prototype.toString.call(at), structuredClone(at).getTime() === at.getTime(), JSON.stringify({ at }), new Date(at) > at, +at,
  format.format(at), format.formatToParts(at.getTime()).length, format instanceof Intl.DateTimeFormat, Intl.DateTimeFormat('en').resolvedOptions().locale,
  new Intl.NumberFormat('en').format(1e6), Math.floor(-1.5), Math.max(...[1, 2]), Math.PI > 3, String(Math), Date.name, at.constructor === Date,
  isDate(at), isDate(new Day(at)), made() instanceof Date,
];
export default strategy({ name: said.join('|'), signals: ({ quotes$ }) => quotes$, decide: () => undefined });`,
    );
    const out = await inNode("console.log((await load('./plain/times.ts')).definition.name)");
    expect(out.split('|')).toEqual([
      ...[
        '2026-03-01T12:00:00.000Z',
        'true',
        'true',
        'true',
        'true',
        '[object Date]',
        'true',
        '{"at":"2026-03-01T12:00:00.000Z"}',
        'false',
      ],
      ...[
        '1772366400000',
        'Mar 1, 2026',
        '5',
        'true',
        'en',
        '1,000,000',
        '-2',
        '2',
        'true',
        '[object Math]',
        'Date',
        'true',
        'true',
        'true',
        'true',
      ],
    ]);
  });

  test('F72: nobody changes what all code shares, nor reaches the process by a name: each attempt is an error at its line', async () => {
    for (const [at, [change]] of CHANGES.entries()) given(`change${at}.ts`, `// @ts-nocheck\n  ${change}\n${module_('')}`);
    const out = await inNode(`
      const told = [];
      for (let at = 0; at < ${CHANGES.length}; at += 1) told.push(await load('./change' + at + '.ts').then(() => 'loaded', ({ message }) => message));
      class Mine extends TypeError { constructor() { super('m'); this.name = 'Mine'; this.toString = () => 'mine'; } }
      function Old() {}
      Old.prototype.toString = () => 'old';
      Old.prototype.constructor = Old;
      console.log(JSON.stringify([told, String(new Mine()), new Mine().name, String(new Old()), [...[1, 2].map((x) => x + 1)], Object.keys(new Mine())]));`);
    const [told, ...rest]: [readonly string[], ...unknown[]] = JSON.parse(out);
    expect(told).toEqual(CHANGES.map(([, why], at) => expect.stringMatching(new RegExp(`^change${at}\\.ts:2:\\d+: .*${why}`))));
    expect(rest).toEqual(['mine', 'Mine', 'old', [2, 3], ['name', 'toString']]);
  });
});
