import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keptVariable } from '#core/strategy/kept-variables.ts';
import { syntaxOf } from '#core/strategy/source-syntax.ts';

const keptIn = (code: string) => keptVariable(syntaxOf(code));
const decides = (body: string) =>
  `export default strategy({ name: 'x', signals: ({ quotes$ }) => quotes$, decide(signal, view) { ${body} } });`;

test.each([
  ['n', `let n = 0; ${decides('n += 1;')}`],
  ['n', `let n = 0; ${decides('n++;')}`],
  ['n', `let n = 0; function count() { n += 1; } ${decides('count();')}`],
  ['last', `let last; export default strategy({ signals: ({ quotes$ }) => quotes$.pipe(tap((x) => { last = x; })), decide: () => last });`],
  ['a', `let a, b; ${decides('[a, b] = [b, signal];')}`],
  ['a', `let a; ${decides('({ a } = view);')}`],
  ['a', `let a; ${decides('for (a of view.list) if (a) return;')}`],
  ['seen', `const seen = new Set(); ${decides('seen.add(signal);')}`],
  ['seen', `const seen: number[] = []; ${decides('if (signal) seen.push(signal);')}`],
  ['seen', `const seen = []; ${decides('seen[0] = signal;')}`],
  ['seen', `const seen = []; ${decides('seen.length = 0;')}`],
  ['memo', `const memo: Memo = {}; ${decides('(memo as Memo).last!.price = signal;')}`],
  ['memo', `const memo = {}; ${decides('Object.assign(memo, signal);')}`],
  ['memo', `const memo = {}; ${decides('delete memo.last;')}`],
  ['ring', `class Ring { put(x) { return x; } } const ring = new Ring(); ${decides('ring.put(signal);')}`],
  ['ring', `import { Ring } from './ring.ts'; const ring = new Ring(); ${decides('ring.put(signal);')}`],
  ['next', `const counter = () => { let n = 0; return () => ++n; }; const next = counter(); ${decides('next();')}`],
  ['memo', `import { memo } from './memo.ts'; ${decides('memo.last = signal;')}`],
  ['n', `const make = (name) => { let n = 0; return strategy({ name, decide: () => { n += 1; } }); }; export default make('x');`],
  ['this', decides('this.last = signal;')],
])('%s outlives the call and is changed: %s', (name, code) => {
  expect(keptIn(code)).toMatchObject({ name });
});

test.each([
  `const MOST = 5; const names = ['a']; ${decides('return names.includes(signal) ? MOST : undefined;')}`,
  `let most = 5; most = 6; ${decides('return most;')}`,
  decides('let sum = 0; for (const x of signal) sum += x; [1].forEach((x) => { sum += x; }); return sum;'),
  decides('const seen = new Set(); seen.add(signal); seen.last = 1; return seen;'),
  `let n = 0; ${decides('let n = 1; n += 1; return n;')}`,
  `let n = 0; ${decides('return ((n) => { n += 1; return n; })(1);')}`,
  `const prices = new Map([['a', 1]]); ${decides('return prices.get(signal);')}`,
  `import { Decimal } from 'decimal.js'; const ONE = new Decimal(1); ${decides('return ONE.plus(signal);')}`,
  `const mean = (xs) => xs.reduce((a, x) => a + x, 0); ${decides('return mean(signal);')}`,
  `export default strategy({ signals: ({ quotes$ }) => { let n = 0; return quotes$.pipe(map(() => n++)); }, decide: () => undefined });`,
])('nothing outlives the call: %s', (code) => {
  expect(keptIn(code)).toBeUndefined();
});

test('the strategies that come with Kairos keep nothing', () => {
  const folder = path.join(import.meta.dirname, '../../../strategies');
  const modules = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(modules.length).toBeGreaterThan(5);
  for (const name of modules) expect([name, keptIn(readFileSync(path.join(folder, name), 'utf8'))]).toEqual([name, undefined]);
});
