import { isBuiltin } from 'node:module';
import { importsOf, type SourceImport } from './source-imports.ts';
import { type BlankedSource, blank, lineOf } from './source-text.ts';

/** What a module does that a strategy may not: where, what, and what to use instead. */
interface Breach {
  readonly line: number;
  readonly what: string;
}

interface Rule {
  readonly pattern: RegExp;
  readonly what: string;
}

/** A name used on its own, not as somebody's member. */
const own = (name: string, rest = '\\b'): RegExp => new RegExp(`(?<![.\\w$])${name}${rest}`, 'g');

const TIME = 'use view.now in decide, or timestamp() from kairos/strategy in signals';
const RANDOM = 'use view.random() in decide, or seeded() from kairos/strategy';
const TIMERS = 'use market.every(), or a time operator of kairos/strategy';
const NO_PROMISE = 'a strategy answers at once, while the quote is handled';
const NO_WORLD = 'a strategy sees what signals() and decide() are given, and nothing else';

/** Decisions are a function of the inbox: nothing that reads a clock, draws a number or reaches outside may be in them. */
const RULES: readonly Rule[] = [
  { pattern: own('Date\\s*(?:\\?\\.|\\.)\\s*now'), what: `Date.now reads the machine's clock: ${TIME}` },
  { pattern: own('Date\\s*\\[\\s*["\'`]', ''), what: `Date[...] may read the machine's clock: ${TIME}` },
  { pattern: /\{[^{}]*\bnow\b[^{}]*\}\s*=\s*Date\b/g, what: `Date.now reads the machine's clock: ${TIME}` },
  {
    pattern: own('new\\s+Date\\b\\s*(?:\\(\\s*\\)|(?![\\s(.]))', ''),
    what: `new Date without argument reads the machine's clock: ${TIME}`,
  },
  { pattern: /(?<![.\w$])(?<!new\s+)Date\s*\(/g, what: `Date called as a function reads the machine's clock: ${TIME}` },
  { pattern: own('Temporal\\s*\\.\\s*Now'), what: `Temporal.Now reads the machine's clock: ${TIME}` },
  { pattern: own('performance\\s*\\.\\s*(?:now|timeOrigin|mark|measure)'), what: `performance reads the machine's clock: ${TIME}` },
  { pattern: own('Math\\s*(?:\\?\\.|\\.)\\s*random'), what: `Math.random cannot be replayed: ${RANDOM}` },
  { pattern: own('Math\\s*\\[\\s*["\'`]', ''), what: `Math[...] may be Math.random, which cannot be replayed: ${RANDOM}` },
  { pattern: /\{[^{}]*\brandom\b[^{}]*\}\s*=\s*Math\b/g, what: `Math.random cannot be replayed: ${RANDOM}` },
  { pattern: /\b(?:randomUUID|getRandomValues)\b/g, what: `random ids cannot be replayed: ${RANDOM}` },
  { pattern: own('crypto\\s*\\.', ''), what: `crypto cannot be replayed: ${RANDOM}` },
  {
    pattern: own('(?:setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame)\\b(?!\\s*:)', ''),
    what: `timers of the machine do not follow engine time: ${TIMERS}`,
  },
  { pattern: own('await'), what: `await is not for strategies: ${NO_PROMISE}` },
  { pattern: own('async\\b\\s*(?:function\\b|\\*|\\(|[\\w$]+\\s*(?:=>|\\())', ''), what: `async is not for strategies: ${NO_PROMISE}` },
  { pattern: own('(?:new\\s+Promise\\b|Promise\\s*\\.)', ''), what: `promises are not for strategies: ${NO_PROMISE}` },
  { pattern: own('import\\s*\\(', ''), what: 'import() is a promise: import at the top of the file' },
  { pattern: own('require\\s*\\(', ''), what: 'require() is not for strategies: import at the top of the file' },
  { pattern: own('process\\s*(?:\\?\\.|\\.|\\[)', ''), what: `process is not for strategies: ${NO_WORLD}` },
  { pattern: /=\s*process\s*(?:[;,\n]|$)/g, what: `process is not for strategies: ${NO_WORLD}` },
  { pattern: own('globalThis'), what: `globalThis is not for strategies: ${NO_WORLD}` },
  { pattern: own('(?:eval\\s*\\(|new\\s+Function\\b)', ''), what: 'code from text is not for strategies: write it down' },
  {
    pattern: own('(?:fetch\\s*\\(|new\\s+(?:WebSocket|EventSource|XMLHttpRequest|Worker|BroadcastChannel|MessageChannel)\\b)', ''),
    what: `the network is not for strategies: ${NO_WORLD}`,
  },
  {
    pattern: /\bnew\s+ReplaySubject\s*(?:<[^>]*>)?\s*\([^()]*,/g,
    what: 'a ReplaySubject with a time window reads the clock: give it a size only',
  },
  { pattern: own('shareReplay\\s*\\([^()]*,', ''), what: 'shareReplay with a time window reads the clock: give it a size only' },
];

/** rxjs exports that follow the machine's clock; those bound to engine time have the same names in `kairos/strategy`. */
const BOUND: ReadonlySet<string> = new Set(
  'auditTime bufferTime debounceTime delay interval sampleTime throttleTime timeInterval timeout timer timestamp windowTime'.split(' '),
);
const UNBOUND: ReadonlySet<string> = new Set(
  'timeoutWith animationFrames asyncScheduler asapScheduler queueScheduler animationFrameScheduler async asap queue animationFrame VirtualTimeScheduler'.split(
    ' ',
  ),
);

/** Everything in a module's source that a strategy may not do, by line. Comments and texts are not code. */
export function breachesOf(source: string): readonly Breach[] {
  const blanked = blank(source);
  const found: { readonly position: number; readonly what: string }[] = [];
  for (const { pattern, what } of RULES) {
    for (const match of blanked.code.matchAll(pattern)) found.push({ position: match.index, what });
  }
  for (const entry of importsOf(blanked)) {
    const what = importBreach(entry);
    if (what !== undefined) found.push({ position: entry.position, what });
    found.push(...wholeBreaches(entry, blanked));
  }
  return found.sort((a, b) => a.position - b.position).map(({ position, what }) => ({ line: lineOf(source, position), what }));
}

function importBreach({ from, kind, names }: SourceImport): string | undefined {
  if (kind !== 'static') return undefined;
  if (isBuiltin(from)) return `'${from}' is not for strategies: ${NO_WORLD}`;
  if (from === 'rxjs' || from === 'rxjs/operators') {
    const bound = names.filter((name) => BOUND.has(name));
    if (bound.length > 0) {
      return `${bound.join(', ')} of '${from}' follows the machine's clock: import { ${bound.join(', ')} } from "kairos/strategy", bound to engine time`;
    }
    const unbound = names.filter((name) => UNBOUND.has(name));
    if (unbound.length > 0) return `${unbound.join(', ')} of '${from}' follows the machine's clock: ${TIMERS}`;
    return undefined;
  }
  if (from.startsWith('rxjs/')) return `'${from}' reaches outside: strategies may import 'rxjs' and 'rxjs/operators'`;
  if ((from === 'kairos' || from.startsWith('kairos/')) && from !== 'kairos/strategy')
    return `'${from}' is not for strategies: import from "kairos/strategy"`;
  return undefined;
}

/** Time operators used through a name for all of rxjs: `import * as rx from 'rxjs'`, then `rx.timer`. */
function* wholeBreaches({ from, whole, kind }: SourceImport, { code }: BlankedSource): Generator<{ position: number; what: string }> {
  if (whole === undefined || kind !== 'static' || (from !== 'rxjs' && from !== 'rxjs/operators')) return;
  const members = new RegExp(`(?<![.\\w$])${whole.replaceAll('$', '\\$')}\\s*\\.\\s*([\\w$]+)`, 'g');
  for (const match of code.matchAll(members)) {
    const name = match[1] ?? '';
    const instead = BOUND.has(name) ? `import { ${name} } from "kairos/strategy", bound to engine time` : TIMERS;
    if (BOUND.has(name) || UNBOUND.has(name))
      yield { position: match.index, what: `${whole}.${name} follows the machine's clock: ${instead}` };
  }
}
