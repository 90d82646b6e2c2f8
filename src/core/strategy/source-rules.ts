import { isBuiltin } from 'node:module';
import type { CallExpression, File, NewExpression, Node, ObjectExpression, ObjectPattern, OptionalCallExpression } from '@babel/types';
import { RANDOM, TIME } from './clockless.ts';
import { TEXT_CODE } from './process-guard.ts';
import { importsOf, type SourceImport } from './source-imports.ts';
import { codeIn, type Place, placeOf } from './source-syntax.ts';

/** What a module does that a strategy may not: where, what, and what to use instead. */
interface Breach {
  readonly place: Place;
  readonly what: string;
}

const TIMERS = 'use market.every(), or a time operator of kairos/strategy';
const NO_PROMISE = 'a strategy answers at once, while the quote is handled';
const NO_WORLD = 'a strategy sees what signals() and decide() are given, and nothing else';

const CLOCK = `reads the machine's clock: ${TIME}`;
const PROMISES = `promises are not for strategies: ${NO_PROMISE}`;
const ASYNC = `async is not for strategies: ${NO_PROMISE}`;
const NETWORK = `the network is not for strategies: ${NO_WORLD}`;
const REQUIRE = 'require() is not for strategies: import at the top of the file';
const RANDOM_ID = `random ids cannot be replayed: ${RANDOM}`;
const MACHINE_TIMER = `timers of the machine do not follow engine time: ${TIMERS}`;

/** What is said of each name. */
type Words = Readonly<Record<string, string>>;

const all = (names: string, what: string): Words => Object.fromEntries(names.split(' ').map((name) => [name, what]));

// Decisions are a function of the inbox: nothing that reads a clock, draws a number or reaches outside may be in them.

/** Names that are not to be used at all. */
const USED: Words = {
  ...all('setTimeout setInterval setImmediate queueMicrotask requestAnimationFrame', MACHINE_TIMER),
  ...all('randomUUID getRandomValues', RANDOM_ID),
  ...all('globalThis global', `the world is not for strategies: ${NO_WORLD}`),
  ...all('eval Function', TEXT_CODE),
};

/** Names whose members are not to be used, all (`*`) or some; `[]`: one that is computed could be such a member. */
const MEMBERS: Readonly<Record<string, Words>> = {
  Date: { now: `Date.now ${CLOCK}`, '[]': `Date[...] may read the machine's clock: ${TIME}` },
  Temporal: { Now: `Temporal.Now ${CLOCK}` },
  performance: all('now timeOrigin mark measure', `performance ${CLOCK}`),
  Math: {
    random: `Math.random cannot be replayed: ${RANDOM}`,
    '[]': `Math[...] may be Math.random, which cannot be replayed: ${RANDOM}`,
  },
  crypto: { '*': `crypto cannot be replayed: ${RANDOM}` },
  Promise: { '*': PROMISES },
  process: { '*': `process is not for strategies: ${NO_WORLD}` },
};

/** Names that are not to be called. */
const CALLED: Words = { Date: `Date called as a function ${CLOCK}`, fetch: NETWORK, require: REQUIRE };

/** Classes of which nothing is to be made. */
const MADE: Words = {
  Promise: PROMISES,
  ...all('WebSocket EventSource XMLHttpRequest Worker BroadcastChannel MessageChannel', NETWORK),
};

/** rxjs exports that follow the machine's clock; those bound to engine time have the same names in `kairos/strategy`. */
const BOUND: ReadonlySet<string> = new Set(
  'auditTime bufferTime debounceTime delay interval sampleTime throttleTime timeInterval timeout timer timestamp windowTime'.split(' '),
);
const UNBOUND: ReadonlySet<string> = new Set(
  'Scheduler timeoutWith animationFrames asyncScheduler asapScheduler queueScheduler animationFrameScheduler async asap queue animationFrame VirtualTimeScheduler'.split(
    ' ',
  ),
);

/** What the rules speak of, and the variables of the module that are another word for it: `D` of `const D = Date`. */
interface Names {
  readonly members: Readonly<Record<string, Words>>;
  readonly aliases: ReadonlyMap<string, string>;
}

/** Everything in a module that a strategy may not do, in the order of its source. */
export function breachesOf(module: File): readonly Breach[] {
  const imports = importsOf(module);
  const members = { ...MEMBERS, ...Object.fromEntries(imports.flatMap(membersOfRxjs)) };
  const names: Names = { members, aliases: aliasesIn(module, { ...members, ...CALLED, ...MADE }) };
  const found: Breach[] = imports.flatMap((entry) => {
    const what = importBreach(entry);
    return what === undefined ? [] : [{ place: entry.place, what }];
  });
  for (const node of codeIn(module.program)) {
    const place = placeOf(node);
    for (const what of place ? breachesAt(node, names) : []) if (place) found.push({ place, what });
  }
  const wholes = new Set(imports.flatMap(({ from, whole }) => (whole !== undefined && isRxjs(from) ? [whole] : [])));
  if (wholes.size > 0) found.push(...wholesGiven(module, wholes));
  return found.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

function breachesAt(node: Node, { members, aliases }: Names): readonly string[] {
  const nameOf = (one: Node | null | undefined): string | undefined => meantBy(writtenName(one), aliases);
  const rules = (name: string | undefined): Words => (name !== undefined && Object.hasOwn(members, name) ? (members[name] ?? {}) : {});
  switch (node.type) {
    case 'Identifier':
      return said(USED, node.name);
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return ofMember(rules(nameOf(node.object)), memberOf(node));
    case 'VariableDeclarator':
      return taken(node.id, rules(nameOf(node.init)));
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return taken(node.left, rules(nameOf(node.right)));
    case 'NewExpression':
      return madeBy(node, nameOf);
    case 'CallExpression':
    case 'OptionalCallExpression':
      return calledBy(node, nameOf);
    case 'ImportExpression':
      return ['import() is a promise: import at the top of the file'];
    case 'TSImportEqualsDeclaration':
      return [REQUIRE];
    case 'AwaitExpression':
      return [`await is not for strategies: ${NO_PROMISE}`];
    case 'ForOfStatement':
      return node.await ? [`await is not for strategies: ${NO_PROMISE}`] : [];
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return node.async ? [ASYNC] : [];
    default:
      return [];
  }
}

const said = (words: Words, name: string | undefined): readonly string[] =>
  name !== undefined && Object.hasOwn(words, name) ? [words[name] ?? ''] : [];

/** The name that an expression is, whatever TypeScript takes it for: `Date` of `(Date as Clock)`. */
function writtenName(node: Node | null | undefined): string | undefined {
  const written = node && bare(node);
  return written?.type === 'Identifier' ? written.name : undefined;
}

const bare = (node: Node): Node =>
  node.type.startsWith('TS') && 'expression' in node && typeof node.expression === 'object' && node.expression
    ? bare(node.expression)
    : node;

type NameOf = (node: Node | null | undefined) => string | undefined;

/** `timer` of `timer` and of `rx.timer`. */
const lastNameOf = (node: Node): string | undefined => (node.type === 'MemberExpression' ? memberOf(node) : writtenName(node));

/** Variables that stand for one of the known names wherever they stand in the module: a name that is also given something else is none. */
function aliasesIn(module: File, known: Readonly<Record<string, unknown>>): Names['aliases'] {
  const given = new Map<string, Set<string | undefined>>();
  for (const node of codeIn(module.program)) {
    for (const [to, from] of givenBy(node)) {
      const alias = writtenName(to);
      if (alias !== undefined) given.set(alias, (given.get(alias) ?? new Set()).add(writtenName(from)));
    }
  }
  const single = new Map(
    [...given].flatMap(([alias, [name, ...others]]) => (name === undefined || others.length > 0 ? [] : [[alias, name]])),
  );
  const meant = [...single.keys()].map((alias) => [alias, meantBy(alias, single)] as const);
  return new Map(meant.flatMap(([alias, name]) => (name !== undefined && Object.hasOwn(known, name) ? [[alias, name]] : [])));
}

/** What a node gives to which variables; a parameter is given what nobody sees here. */
function givenBy(node: Node): readonly (readonly [to: Node, from: Node | null | undefined])[] {
  if (node.type === 'VariableDeclarator') return [[node.id, node.init]];
  if (node.type === 'AssignmentExpression' || node.type === 'AssignmentPattern') return [[node.left, node.right]];
  return 'params' in node && Array.isArray(node.params) ? node.params.map((to) => [to, undefined] as const) : [];
}

/** The name at the end of a chain of aliases; a chain that comes back to where it was ends there. */
function meantBy(name: string | undefined, aliases: Names['aliases']): string | undefined {
  const seen = new Set<string>();
  let found = name;
  while (found !== undefined && !seen.has(found)) {
    seen.add(found);
    found = aliases.get(found) ?? found;
  }
  return found;
}

/** The name of a member; `[]` for one that is computed. */
function memberOf({ property, computed }: { readonly property: Node; readonly computed?: boolean }): string {
  if (!computed && property.type === 'Identifier') return property.name;
  return property.type === 'StringLiteral' ? property.value : '[]';
}

const ofMember = (rules: Words, name: string): readonly string[] => (Object.hasOwn(rules, name) ? said(rules, name) : said(rules, '*'));

/** What is taken out of a name: `const { now } = Date`, or the name itself where no member of it may be used. */
function taken(target: Node, rules: Words): readonly string[] {
  return target.type === 'ObjectPattern' ? keysOf(target).flatMap((name) => ofMember(rules, name)) : said(rules, '*');
}

function keysOf({ properties }: ObjectPattern | ObjectExpression): readonly string[] {
  return properties.map((one) => ('key' in one ? memberOf({ property: one.key, computed: one.computed }) : '[]'));
}

function madeBy({ callee, arguments: given }: NewExpression, nameOf: NameOf): readonly string[] {
  if (nameOf(callee) === 'Date' && given.length === 0) return [`new Date without argument ${CLOCK}`];
  if (lastNameOf(callee) === 'ReplaySubject' && given.length > 1)
    return ['a ReplaySubject with a time window reads the clock: give it a size only'];
  return isConstructorOf(callee) ? [TEXT_CODE] : said(MADE, nameOf(callee));
}

function calledBy({ callee, arguments: given }: CallExpression | OptionalCallExpression, nameOf: NameOf): readonly string[] {
  const [first] = given;
  const options = first?.type === 'ObjectExpression' ? first : undefined;
  const name = lastNameOf(callee);
  const hasWindow = given.length > 1 || (options && keysOf(options).includes('windowTime'));
  if (name === 'shareReplay' && hasWindow) return ['shareReplay with a time window reads the clock: give it a size only'];
  if ((name === 'repeat' || name === 'retry') && options?.properties.some(isMachineDelay))
    return [
      `${name} with a delay in milliseconds follows the machine's clock: write delay as a function that returns timer() of kairos/strategy`,
    ];
  return isConstructorOf(callee) ? [TEXT_CODE] : said(CALLED, nameOf(callee));
}

/** A `delay` that is not written as a function, which is taken for milliseconds. */
const isMachineDelay = (option: ObjectExpression['properties'][number]): boolean =>
  option.type === 'ObjectProperty' &&
  memberOf({ property: option.key, computed: option.computed }) === 'delay' &&
  !option.value.type.endsWith('FunctionExpression');

/** Whether it is `x.constructor`: that of a function makes code. */
const isConstructorOf = (callee: Node): boolean =>
  (callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression') && memberOf(callee) === 'constructor';

function importBreach({ from, names }: SourceImport): string | undefined {
  if (isBuiltin(from)) return `'${from}' is not for strategies: ${NO_WORLD}`;
  if (isRxjs(from)) {
    const bound = names.filter((name) => BOUND.has(name));
    if (bound.length > 0) {
      return `${bound.join(', ')} of '${from}' follows the machine's clock: import { ${bound.join(', ')} } from "kairos/strategy", bound to engine time`;
    }
    const unbound = names.filter((name) => UNBOUND.has(name));
    if (names.includes('*')) return `all of '${from}' is the machine's clock too: export what is used by name`;
    if (unbound.length > 0) return `${unbound.join(', ')} of '${from}' follows the machine's clock: ${TIMERS}`;
    return undefined;
  }
  if (from.startsWith('rxjs/')) return `'${from}' reaches outside: strategies may import 'rxjs' and 'rxjs/operators'`;
  if ((from === 'kairos' || from.startsWith('kairos/')) && from !== 'kairos/strategy')
    return `'${from}' is not for strategies: import from "kairos/strategy"`;
  return undefined;
}

/** Where a name for all of rxjs stands elsewhere than before a member of it: what is taken out of it there nobody sees. */
function wholesGiven(module: File, wholes: ReadonlySet<string>): readonly Breach[] {
  const seen = new Set<Node>();
  return [...codeIn(module.program)].flatMap((node) => {
    if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') seen.add(bare(node.object));
    if (node.type === 'VariableDeclarator' && node.init && node.id.type === 'ObjectPattern') seen.add(bare(node.init));
    const given = node.type === 'ExportNamedDeclaration' && !node.source ? node.specifiers.flatMap(exportedBy) : [node];
    return given.flatMap((one) => {
      const place = placeOf(one);
      if (!place || one.type !== 'Identifier' || !wholes.has(one.name) || seen.has(one)) return [];
      return [
        {
          place,
          what: `${one.name} is all of rxjs, the machine's clock too: name what is used of it, as ${one.name}.map, or call it otherwise here`,
        },
      ];
    });
  });
}

const exportedBy = (one: Node): readonly Node[] => (one.type === 'ExportSpecifier' && one.exportKind !== 'type' ? [one.local] : []);

const isRxjs = (from: string): boolean => from === 'rxjs' || from === 'rxjs/operators';

/** Time operators are not to be used through a name for all of rxjs either: `import * as rx from 'rxjs'`, then `rx.timer`. */
function membersOfRxjs({ from, whole }: SourceImport): (readonly [string, Words])[] {
  if (whole === undefined || !isRxjs(from)) return [];
  const bound = [...BOUND].map((name) => [name, `import { ${name} } from "kairos/strategy", bound to engine time`]);
  const unbound = [...UNBOUND].map((name) => [name, TIMERS]);
  const words = [...bound, ...unbound].map(([name, instead]) => [name, `${whole}.${name} follows the machine's clock: ${instead}`]);
  return [[whole, Object.fromEntries([...words, ['[]', `${whole}[...] may follow the machine's clock: name what is used`]])]];
}
