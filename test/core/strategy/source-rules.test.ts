import { describe, expect, test } from 'vitest';
import { breachesOf } from '#core/strategy/source-rules.ts';
import { placeOf, syntaxOf } from '#core/strategy/source-syntax.ts';
import { fc, test as propertyTest } from '../../support/property.ts';

const breachesIn = (code: string) => breachesOf(syntaxOf(code)).map(({ place, what }) => ({ line: place.line, what }));

describe('a strategy that cannot be replayed is refused, with its line and what to use instead', () => {
  test.each([
    ['Date.now()', 'view.now'],
    ['Date?.now()', 'view.now'],
    ['const { now } = Date', 'view.now'],
    ["Date['now']()", 'view.now'],
    ['const D = Date; D.now()', 'view.now'],
    ['const D = Date, E = D; new E()', 'view.now'],
    ['const m = Math; const { random } = m', 'view.random()'],
    ['const at = (clock = Date) => clock.now()', 'view.now'],
    ['let web = fetch; web(1)', 'nothing else'],
    ['new Date()', 'view.now'],
    ['new Date', 'view.now'],
    ['Date()', 'view.now'],
    ['performance.now()', 'view.now'],
    ['Math.random()', 'view.random()'],
    ['Math . random ()', 'view.random()'],
    ["Math['random']()", 'view.random()'],
    ['const { floor, random } = Math', 'view.random()'],
    ['crypto.randomUUID()', 'view.random()'],
    ['setTimeout(() => 1, 5)', 'market.every()'],
    ['const later = setInterval', 'market.every()'],
    ['setImmediate(f)', 'market.every()'],
    ['queueMicrotask(f)', 'market.every()'],
    ['const x = await thing', 'at once'],
    ['const f = async () => 1', 'at once'],
    ['const f = async x => x', 'at once'],
    ['const o = { async decide(s) {} }', 'at once'],
    ['Promise.resolve(1)', 'at once'],
    ['new Promise((r) => r)', 'at once'],
    ["import fs from 'node:fs'", 'nothing else'],
    ["import { readFileSync } from 'fs'", 'nothing else'],
    ["import 'node:net'", 'nothing else'],
    ["const fs = require('fs')", 'import at the top'],
    ["import('./x.ts')", 'import at the top'],
    ['process.env.HOME', 'nothing else'],
    ['const { exit } = process;', 'nothing else'],
    ['globalThis.Date', 'nothing else'],
    ['const world = global', 'nothing else'],
    ["fetch('http://x')", 'nothing else'],
    ["new WebSocket('ws://x')", 'nothing else'],
    ["eval('1')", 'write it in the file'],
    ["(0, eval)('1')", 'write it in the file'],
    ['const run = eval', 'write it in the file'],
    ["[].map(Function, 'x')", 'write it in the file'],
    ["f?.constructor('x')", 'write it in the file'],
    ["new f['constructor']('x')", 'write it in the file'],
    ["import { debounceTime, map } from 'rxjs'", 'import { debounceTime } from "kairos/strategy"'],
    ["import { map, timer as t } from 'rxjs'", 'import { timer } from "kairos/strategy"'],
    ["import { delay } from 'rxjs/operators'", 'import { delay } from "kairos/strategy"'],
    ["import {\n  map,\n  interval,\n} from 'rxjs'", 'import { interval } from "kairos/strategy"'],
    ["import { asyncScheduler } from 'rxjs'", 'time operator of kairos/strategy'],
    ["import * as rx from 'rxjs'\nrx.timer(1)", 'import { timer } from "kairos/strategy"'],
    ["import * as rx from 'rxjs'\nconst { timer } = rx", 'import { timer } from "kairos/strategy"'],
    ["import * as rx from 'rxjs'\n;(rx as any)[name]()", 'rx[...] may follow'],
    ["import * as rx from 'rxjs'\nconst { map, ...rest } = rx", 'rx[...] may follow'],
    ["import * as rx from 'rxjs'\nconst all = [rx]", 'rx is all of rxjs'],
    ["import * as rx from 'rxjs'\nexport { rx as r }", 'rx is all of rxjs'],
    ["import * as rx from 'rxjs'\nexport const all = rx", 'rx is all of rxjs'],
    ["import rx from 'rxjs'\nexport default { rx }", 'rx is all of rxjs'],
    ["export * from 'rxjs'", 'export what is used by name'],
    ["export * as rx from 'rxjs/operators'", 'export what is used by name'],
    ["import { Scheduler } from 'rxjs'", 'time operator of kairos/strategy'],
    ["import { ajax } from 'rxjs/ajax'", "may import 'rxjs'"],
    ["import { Engine } from 'kairos/engine'", 'import from "kairos/strategy"'],
    ['new ReplaySubject<number>(1, 100)', 'size only'],
    ['quotes$.pipe(shareReplay(1, 100))', 'size only'],
    ['quotes$.pipe(shareReplay({ bufferSize: 1, windowTime: 100 }))', 'size only'],
    ['quotes$.pipe(repeat({ delay: 1000 }))', 'timer() of kairos/strategy'],
    ["quotes$.pipe(rx.retry({ count: 2, 'delay': wait }))", 'timer() of kairos/strategy'],
    ["if (a) /'/.test(b), Date.now()", 'view.now'],
    ['(Date as Clock).now()', 'view.now'],
    ['Math[which]()', 'view.random()'],
    ['enum Seed { Of = Math.random() }', 'view.random()'],
    ['class A { constructor(private at = Date.now()) {} }', 'view.now'],
    ['for await (const x of y) {}', 'at once'],
    ["import fs = require('fs')", 'import at the top'],
    ['const everything = process', 'nothing else'],
  ])('%s', (code, instead) => {
    const breaches = breachesIn(`// first line\n${code};\n`);
    expect(breaches.map(({ what }) => what).join('\n')).toContain(instead);
    expect(breaches[0]?.line).toBeGreaterThanOrEqual(2);
  });
});

describe('what is fine stays fine', () => {
  test.each([
    '// Date.now() in a comment',
    '/* Math.random()\n setTimeout(x) */',
    "const text = 'Date.now()'",
    'const text = "say \\"Math.random()\\" twice"',
    'const text = `at $' + '{price} new Date()`',
    'const regex = /setTimeout\\(/',
    'const regex = [/[/"]Date.now()/]',
    'const half = total / 2; // process.env / 3',
    'const d = new Date(view.now)',
    'const d = Date.UTC(2026, 0, 1)',
    'type When = Date',
    'const when: Date[] = []',
    'const x = my.Date.now()',
    'const performance = 3; const y = performance * 2',
    'const o = { setTimeout: 1, process: 2 }',
    'view.random()',
    'Math.floor(1.5)',
    'const m = Math; m.floor(1.5)',
    'const f = (m) => m.random(); const g = () => { const m = Math; return m.floor(1) }',
    'const f = () => { const m = Math; return m.PI }; const g = () => { const m = [1]; return m[i] }',
    "import type { Stats } from 'node:fs'",
    "import { type timer, map } from 'rxjs'",
    "import { timer } from 'kairos/strategy'",
    "import { delay } from './delay.ts'",
    "import * as rx from 'rxjs'\nrx.map(x); other.timer(1)",
    "import * as rx from 'rxjs'\nconst { map } = rx\nconst of = (all: rx.Observable<number>): typeof rx.map => rx.map",
    "export type * from 'rxjs'",
    "export { map } from 'rxjs'",
    'shareReplay(1)',
    'const within = 3; f({ within: 2, on: 1 })',
    "buy(amount, 'within: on: the band', { tag: 'on' })",
    'const awaiting = asynchronous(promise)',
    'let later: ReturnType<typeof setTimeout> | Promise<void>',
    'interface Of { process: string; fetch(): Promise<void> }',
    'const o = { fetch() {}, async: 1, process() {} }; o.fetch(); o.process()',
    "Math['floor'](1.5)",
    'shareReplay({ bufferSize: 1, refCount: true })',
    'repeat({ count: 2, delay: () => timer(1000) }); retry({ delay: function () { return timer(1) } }); retry({ delay() {} })',
    'repeat(2); retry({ count: 2 }); plan({ delay: 5 })',
    'declare const random: () => number; abstract class A { abstract now(): Date }',
    'const half = (a + b) / 2, x = y / process',
  ])('%s', (code) => expect(breachesIn(code)).toEqual([]));

  test('code inside a template is code', () => {
    const hole = (code: string) => `\`$\{${code}}\``;
    const nested = `const text = ${hole(hole('Date.now()'))}; new Date()`;
    expect(breachesIn(nested).map(({ line }) => line)).toEqual([1, 1]);
  });
});

test('each breach has its own line, in order', () => {
  expect(breachesIn('\nDate.now();\n\n/* x\n */ Math.random();\nsetTimeout(f);').map(({ line }) => line)).toEqual([2, 5, 6]);
});

describe('B14: whatever a text is, it is read by the grammar, or refused with its place', () => {
  propertyTest.prop([
    fc.array(fc.constantFrom('"', "'", '`', '${', '}', '{', '/', '*', '//', '/*', '*/', '\\', '\n', 'a', ' ', '(', 'Date.now()')),
  ])('nothing else is thrown', (parts) => {
    try {
      breachesIn(parts.join(''));
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError);
      expect(placeOf(error)).toEqual({ line: expect.any(Number), column: expect.any(Number) });
    }
  });
});
