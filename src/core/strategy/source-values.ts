import type {
  AssignmentExpression,
  CallExpression,
  Expression,
  File,
  Node,
  OptionalCallExpression,
  PatternLike,
  VariableDeclaration,
} from '@babel/types';
import { isFileImport } from './source-files.ts';

/** Methods by which collections give out what is in them. */
const GIVING = new Set('at entries find findLast get values'.split(' '));

/** Nodes that are functions, by their type. */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  'ArrowFunctionExpression ClassMethod ClassPrivateMethod FunctionDeclaration FunctionExpression ObjectMethod'.split(' '),
);

/**
 * What a variable starts as: `flat` is a list or an object without others in it, `deep` any other object, `foreign` what a package
 * exports. Undefined for values that cannot change, and for parameters.
 */
type Start = 'flat' | 'deep' | 'foreign' | undefined;

/** What is known of a variable. */
export interface Name {
  readonly start: Start;
  /** The variables of whose objects one may be what a call gave it: `memory` of `const slot = memory.get(key)`. */
  readonly from: readonly string[];
}

/** What the functions of a module return: the variables whose objects it may be, by the name of the function. */
export type Returns = ReadonlyMap<string, readonly string[]>;

/** A variable, or a member of its object, that is changed, or that another name or a function gets. */
export interface Alias {
  readonly name: string;
  readonly isMember: boolean;
}

/** The method that is called; empty for a call of something else. */
export const methodOf = ({ callee }: CallExpression | OptionalCallExpression): string =>
  (callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression') && callee.property.type === 'Identifier'
    ? callee.property.name
    : '';

/** The variables whose objects a value is, or may be: with `returned` also what a call gives out. */
export function handed(value: Node | null | undefined, isMember = false, returned?: Returns): readonly Alias[] {
  if (!value) return [];
  switch (value.type) {
    case 'Identifier':
      return [{ name: value.name, isMember }];
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return rootOf(value, returned).map((name) => ({ name, isMember: true }));
    case 'CallExpression':
    case 'OptionalCallExpression':
      return returned ? rootOf(value, returned).map((name) => ({ name, isMember: true })) : [];
    case 'ConditionalExpression':
      return [value.consequent, value.alternate].flatMap((one) => handed(one, isMember, returned));
    case 'LogicalExpression':
      return [value.left, value.right].flatMap((one) => handed(one, isMember, returned));
    case 'ArrayExpression':
      return value.elements.flatMap((one) => handed(one, false, returned));
    case 'ObjectExpression':
      return value.properties.flatMap((one) => handed('value' in one ? one.value : one, false, returned));
    case 'SpreadElement':
      return handed(value.argument, true, returned);
    default:
      return handed(within(value), isMember, returned);
  }
}

/** The variables whose object a value may be because of a call. */
function givenOut(value: Node | null | undefined, returned: Returns): readonly string[] {
  const plain = new Set(handed(value).map(({ name }) => name));
  return handed(value, false, returned).flatMap(({ name }) => (plain.has(name) ? [] : [name]));
}

/** The variables that an assignment to a target changes, or whose objects it changes. */
export function targetsOf(target: Node, returned: Returns): readonly Alias[] {
  if (target.type === 'ArrayPattern') return target.elements.flatMap((one) => (one ? targetsOf(one, returned) : []));
  if (target.type === 'ObjectPattern')
    return target.properties.flatMap((one) => targetsOf(one.type === 'RestElement' ? one.argument : one.value, returned));
  if (target.type === 'AssignmentPattern') return targetsOf(target.left, returned);
  if (target.type === 'RestElement') return targetsOf(target.argument, returned);
  const inner = within(target);
  if (inner) return targetsOf(inner, returned);
  return rootOf(target, returned).map((name) => ({ name, isMember: target.type !== 'Identifier' }));
}

/** The variable at the root of an expression such as `seen.last[0]!` or `seen.get(key)`: none for what other calls return. */
export function rootOf(node: Node, returned: Returns = NOTHING): readonly string[] {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'ThisExpression') return ['this'];
  if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') return rootOf(node.object, returned);
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') {
    if (GIVING.has(methodOf(node))) return rootOf(node.callee, returned);
    return node.callee.type === 'Identifier' ? (returned.get(node.callee.name) ?? []) : [];
  }
  const inner = within(node);
  return inner ? rootOf(inner, returned) : [];
}

/** Of functions that give out nothing. */
const NOTHING: Returns = new Map();

/** What TypeScript takes for something else: `seen` of `(seen as Seen)`. */
const within = (node: Node): Node | undefined =>
  'expression' in node && typeof node.expression === 'object' ? (node.expression ?? undefined) : undefined;

/** What the functions at a module's top return of its own variables. */
export function returnedIn({ program }: File): Returns {
  const top = namesOf(program, NOTHING);
  const isOwn = ({ name, isMember }: Alias): boolean => {
    const start = top.get(name)?.start;
    return start === 'deep' || (start === 'flat' && !isMember);
  };
  const returned = new Map<string, readonly string[]>();
  const add = (name: string, made: Node): void => {
    if (!FUNCTIONS.has(made.type) || !('body' in made)) return;
    const values = (made.body as Node).type === 'BlockStatement' ? returnsIn(made.body as Node) : [made.body as Node];
    const locals = namesOf(made, NOTHING);
    const own = values.flatMap((one) => handed(one, false, NOTHING)).filter((alias) => !locals.has(alias.name) && isOwn(alias));
    if (own.length > 0)
      returned.set(
        name,
        own.map((alias) => alias.name),
      );
  };
  for (const statement of program.body) {
    const declared = 'declaration' in statement && statement.declaration ? statement.declaration : statement;
    if (declared.type === 'FunctionDeclaration' && declared.id) add(declared.id.name, declared);
    if (declared.type === 'VariableDeclaration') for (const { name, init } of namedIn(declared)) add(name, init);
  }
  return returned;
}

/** What a function returns, without the functions in it. */
function returnsIn(body: Node): readonly Node[] {
  if (body.type === 'ReturnStatement') return body.argument ? [body.argument] : [];
  return FUNCTIONS.has(body.type) ? [] : childrenOf(body).flatMap(returnsIn);
}

/** All names that a module or a function declares, without those of functions in it. */
export function namesOf(scope: Node, returned: Returns): ReadonlyMap<string, Name> {
  const names = new Map<string, Name>();
  const add = (pattern: Node, value?: Node | null, isOf = false): void => {
    const named = pattern.type === 'TSParameterProperty' ? pattern.parameter : pattern;
    const from = givenOut(value, returned);
    for (const { name } of targetsOf(named, NOTHING))
      names.set(name, { start: isOf ? undefined : startingAs(value), from: [...(names.get(name)?.from ?? []), ...from] });
  };
  const assign = ({ left, right }: AssignmentExpression): void => {
    const known = left.type === 'Identifier' ? names.get(left.name) : undefined;
    if (known && left.type === 'Identifier') names.set(left.name, { ...known, from: [...known.from, ...givenOut(right, returned)] });
  };
  const collect = (node: Node): void => {
    if (node.type === 'VariableDeclarator') add(node.id, node.init);
    if (node.type === 'AssignmentExpression') assign(node);
    if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration')
      add(node.left.declarations[0]?.id ?? node, node.right, true);
    if (node.type === 'CatchClause' && node.param) add(node.param);
    if (node.type === 'ImportDeclaration')
      for (const { local } of node.specifiers) names.set(local.name, { start: importedAs(node.source.value), from: [] });
    if (isNamed(node) && node !== scope) names.set(node.id.name, { start: undefined, from: [] });
    if (node === scope || !FUNCTIONS.has(node.type)) for (const child of childrenOf(node)) collect(child);
  };
  if ('params' in scope) for (const param of scope.params as readonly PatternLike[]) add(param);
  collect(scope);
  return names;
}

const importedAs = (from: string): Start => (!isFileImport(from) ? 'foreign' : from.endsWith('.json') ? undefined : 'deep');

function startingAs(init: Node | null | undefined): Start {
  if (!init) return undefined;
  switch (init.type) {
    case 'ArrayExpression':
      return init.elements.every((one) => one === null || isPlain(one)) ? 'flat' : 'deep';
    case 'ObjectExpression':
      return init.properties.every((one) => one.type === 'ObjectProperty' && isPlain(one.value)) ? 'flat' : 'deep';
    case 'NewExpression': {
      const [given] = init.arguments;
      const rows = given?.type === 'ArrayExpression' ? given.elements : [];
      const isTable = rows.length > 0 && rows.every((one) => one !== null && (isPlain(one) || startingAs(one) === 'flat'));
      return isTable && init.callee.type === 'Identifier' && TABLES.has(init.callee.name) ? 'flat' : 'deep';
    }
    case 'CallExpression':
      return 'deep';
    default:
      return startingAs(within(init));
  }
}

/** Collections: one that begins with plain values is to be looked up. */
const TABLES = new Set(['Map', 'Set']);

const isPlain = ({ type }: Node): boolean => type.endsWith('Literal') || type === 'UnaryExpression' || FUNCTIONS.has(type);

const isNamed = (node: Node): node is Node & { readonly id: { readonly name: string } } =>
  (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id != null;

/** Each variable that a statement declares with a value. */
export const namedIn = ({ declarations }: VariableDeclaration): readonly { readonly name: string; readonly init: Expression }[] =>
  declarations.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? { name: id.name, init } : []));

/** The nodes in a node. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value);
}
