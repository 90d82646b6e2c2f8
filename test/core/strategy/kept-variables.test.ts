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
  ['memory', `const memory = { n: 0 }; ${decides('const m = memory; m.n += 1;')}`],
  ['memory', `const memory = { seen: [] as string[] }; ${decides('const { seen } = memory; seen.push(signal);')}`],
  ['memory', `const memory = { a: { n: 0 } } satisfies Memory; ${decides('let m; m = view.now ? memory.a : other; m.n += 1;')}`],
  ['history', `const history: number[] = []; const push = (list, x) => list.push(x); ${decides('push(history, signal);')}`],
  ['memory', `const memory = new Map(); function remember(m, x) { m.set(x, 1); } ${decides('remember(memory, signal);')}`],
  ['memory', `const memory = {}; function remember({ memory, x }) { memory.x = x; } ${decides('remember({ memory, x: signal });')}`],
  ['memory', `import { memory } from './memory.ts'; ${decides('const m = memory; m.n += 1;')}`],
  ['memory', `import { memory, remember } from './memory.ts'; ${decides('remember(memory, signal);')}`],
  ['memory', `import * as lib from './memory.ts'; const memory = []; ${decides('lib.remember(memory, signal);')}`],
  ['slots', `const slots = [{ n: 0 }]; ${decides('for (const slot of slots) slot.n += 1;')}`],
  ['memory', `const memory = { n: 0 }; ${decides('const count = (m = memory) => { m.n += 1; }; count();')}`],
  ['map', `const map = new Map(); ${decides('map.get(signal).n++;')}`],
  ['map', `const map = new Map<string, Slot>(); ${decides('const slot = map.get(signal) ?? view; slot!.n += 1;')}`],
  ['map', `const map = new Map(); ${decides('let slot; slot = map.get(signal); if (slot) { slot.seen.push(1); }')}`],
  ['map', `const map = new Map(); const bump = (slot) => { slot.n += 1; }; ${decides('bump(map.get(signal));')}`],
  ['map', `const map = new Map(); const bump = (slot) => { slot.n += 1; }; ${decides('const slot = map.get(signal); bump(slot);')}`],
  ['map', `const map = new Map(); ${decides('for (const slot of map.values()) slot.n += 1;')}`],
  ['slots', `const slots = [{ n: 0 }]; ${decides('delete slots.at(-1).n;')}`],
  ['slots', `const slots = [{ n: 0 }]; ${decides('Object.assign(slots.find((one) => one.n > 0), signal);')}`],
  ['memory', `const memory = { n: 0 }; const kept = () => memory; ${decides('kept().n += 1;')}`],
  [
    'memory',
    `const memory = { of: { n: 0 } }; function kept() { if (memory) return memory.of; } ${decides('const m = kept(); m.n += 1;')}`,
  ],
  ['map', `const map = new Map(); const slotOf = (key) => map.get(key); ${decides('slotOf(signal).n += 1;')}`],
  [
    'memo',
    `const make = () => { const memo = {}; return strategy({ decide: () => { const m = memo; m.n = 1; } }); }; export default make();`,
  ],
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
  `const LEVELS = { low: 30, high: 70 }; ${decides('const { low } = LEVELS, high = LEVELS.high; return low < high;')}`,
  `const HOURS = [8, 16]; const most = (...x) => Math.max(...x); ${decides('return most(...HOURS) + Math.max(HOURS[0]);')}`,
  `import { buy } from 'kairos/strategy'; const WORDS = { up: 'up' }, ALL = [WORDS]; ${decides('return buy(1, WORDS.up, ALL);')}`,
  `import { smooth } from './smooth.ts'; export default strategy({ signals: ({ quotes$ }) => quotes$.pipe(smooth), decide: () => 1 });`,
  `import weights from './w.json' with { type: 'json' }; const score = (w, x) => w.bias + x; ${decides('return score(weights, signal);')}`,
  `const LEVELS = new Map([['a', 1], ['b', -2]]), half = (x) => x / 2; ${decides('let l = LEVELS.get(signal); l += 1; return half(LEVELS.get(l));')}`,
  `const map = new Map(), rules = [{ at: 1 }]; ${decides('const rule = rules.find((one) => one.at > 0), x = map.get(1); return rule.at + x;')}`,
  `const fresh = () => ({ n: 0 }), copy = (x) => { const memory = [...x]; return memory; }, memory = []; ${decides('const f = fresh(); f.n += 1; copy([1]).push(2); return f;')}`,
  `const HOURS = [{ at: 8 }]; ${decides('const hours = HOURS.map(({ at }) => at); hours.sort(); HOURS.filter(Boolean).push(1); return hours;')}`,
  decides('let a = view.map.get(1), b = a.get(2); a = b.get(1); b.n += 1; return a;'),
  `const memory = { n: 0 }; ${decides('const memory = { n: 0 }, m = memory; m.n += 1; return m;')}`,
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
