import type { Expression, File, Node, PatternLike, VariableDeclaration } from '@babel/types';
import { isFileImport } from './source-files.ts';
import { codeIn, type Place, placeOf } from './source-syntax.ts';

/** A variable that a function changes and that `decide` could read at its next call. */
export interface KeptVariable {
  readonly name: string;
  /** Where it is changed. */
  readonly place: Place;
}

/** Methods by which collections, and subjects of rxjs, are changed. */
const CHANGING = new Set('add clear copyWithin delete fill next pop push reverse set shift sort splice unshift'.split(' '));
const FUNCTIONS = new Set(
  'ArrowFunctionExpression ClassMethod ClassPrivateMethod FunctionDeclaration FunctionExpression ObjectMethod'.split(' '),
);

/**
 * What a variable starts as: `flat` is a list or an object without others in it, `deep` any other object, `foreign` what a package
 * exports. Undefined for values that cannot change, and for parameters.
 */
type Start = 'flat' | 'deep' | 'foreign' | undefined;

/** The names of a module or a function. */
interface Scope {
  readonly names: ReadonlyMap<string, Start>;
  /** True where `decide` sees them and they outlive its call: of the module, and of a function that makes the strategy. */
  readonly isKept: boolean;
}

/** What a module makes at its top by its own code, so that it may change at each call. */
type OwnObjects = ReadonlySet<string>;

/**
 * The first variable of a module that one of its functions changes while it outlives the call: with it `decide` is no function of what it is
 * given. Objects are taken to change by assignments to their members, by methods of collections, by another name, by being given to a
 * function of the strategy's own files and, where the module's own code made them, by any call.
 */
export function keptVariable(module: File): KeptVariable | undefined {
  const decide = decideIn(module);
  const made = madeIn(module);
  const top: Scope = { names: namesOf(module.program), isKept: true };
  return changedIn(module.program, [top], { decide, made });
}

interface ModuleParts {
  readonly decide: Node | undefined;
  readonly made: OwnObjects;
}

function changedIn(node: Node, scopes: readonly Scope[], found: ModuleParts): KeptVariable | undefined {
  const isFunction = FUNCTIONS.has(node.type);
  const inner = isFunction ? [...scopes, { names: namesOf(node), isKept: encloses(node, found.decide) }] : scopes;
  if (inner.length > 1) {
    for (const root of [...changedBy(node, found.made), ...handedBy(node, inner)]) {
      const place = placeOf(node);
      const name = root === 'this' ? (encloses(found.decide, node) ? 'this' : undefined) : keptName(root, inner);
      if (name !== undefined && place) return { name, place };
    }
  }
  for (const child of childrenOf(node)) {
    const kept = changedIn(child, inner, found);
    if (kept) return kept;
  }
  return undefined;
}

/** The name, where the innermost scope that has it outlives the function at work. */
function keptName(name: string, scopes: readonly Scope[]): string | undefined {
  const at = scopes.findLastIndex(({ names }) => names.has(name));
  return at >= 0 && at < scopes.length - 1 && scopes[at]?.isKept ? name : undefined;
}

/** The variables that a node changes, or whose objects it changes. */
function changedBy(node: Node, made: OwnObjects): readonly string[] {
  switch (node.type) {
    case 'AssignmentExpression':
      return targetsOf(node.left);
    case 'UpdateExpression':
      return rootOf(node.argument);
    case 'UnaryExpression':
      return node.operator === 'delete' ? rootOf(node.argument) : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? [] : targetsOf(node.left);
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const { callee } = node;
      const of = rootOf(callee).filter((name) => made.has(name));
      if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return of;
      const method = callee.property.type === 'Identifier' ? callee.property.name : '';
      const [first] = node.arguments;
      if (method === 'assign' && first && first.type !== 'ArgumentPlaceholder') return rootOf(first);
      return CHANGING.has(method) ? rootOf(callee) : of;
    }
    default:
      return [];
  }
}

/** A variable, or a member of its object, that another name or a function gets. */
interface Alias {
  readonly name: string;
  readonly isMember: boolean;
}

/** The variables whose objects a node gives another name, or to a function of the strategy's own files, so that they may be changed there. */
function handedBy(node: Node, scopes: readonly Scope[]): readonly string[] {
  return givenBy(node, scopes).flatMap(({ name, isMember }) => {
    const start = startOf(name, scopes);
    return start === 'deep' || (start === 'flat' && !isMember) ? [name] : [];
  });
}

const startOf = (name: string, scopes: readonly Scope[]): Start => scopes.findLast(({ names }) => names.has(name))?.names.get(name);

function givenBy(node: Node, scopes: readonly Scope[]): readonly Alias[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return handed(node.init, node.id.type !== 'Identifier');
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return handed(node.right, node.left.type.endsWith('Pattern'));
    case 'ForOfStatement':
      return handed(node.right, true);
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression': {
      const [name = ''] = rootOf(node.callee);
      const at = scopes.findLastIndex(({ names }) => names.has(name));
      // Methods of what a function was given, such as `quotes$.pipe`, are of others.
      const isOwn = (node.callee.type === 'Identifier' ? at >= 0 : at === 0) && startOf(name, scopes) !== 'foreign';
      return isOwn ? node.arguments.flatMap((one) => handed(one)) : [];
    }
    default:
      return [];
  }
}

function handed(value: Node | null | undefined, isMember = false): readonly Alias[] {
  if (!value) return [];
  switch (value.type) {
    case 'Identifier':
      return [{ name: value.name, isMember }];
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return rootOf(value).map((name) => ({ name, isMember: true }));
    case 'ConditionalExpression':
      return [value.consequent, value.alternate].flatMap((one) => handed(one, isMember));
    case 'LogicalExpression':
      return [value.left, value.right].flatMap((one) => handed(one, isMember));
    case 'ArrayExpression':
      return value.elements.flatMap((one) => handed(one));
    case 'ObjectExpression':
      return value.properties.flatMap((one) => ('value' in one ? handed(one.value) : handed(one)));
    case 'SpreadElement':
      return handed(value.argument, true);
    default:
      return handed(within(value), isMember);
  }
}

function targetsOf(target: Node): readonly string[] {
  if (target.type === 'ArrayPattern') return target.elements.flatMap((one) => (one ? targetsOf(one) : []));
  if (target.type === 'ObjectPattern')
    return target.properties.flatMap((one) => targetsOf(one.type === 'RestElement' ? one.argument : one.value));
  if (target.type === 'AssignmentPattern') return targetsOf(target.left);
  return target.type === 'RestElement' ? targetsOf(target.argument) : rootOf(target);
}

/** The variable at the root of an expression such as `seen.last[0]!`: none for what a call returns. */
function rootOf(node: Node): readonly string[] {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'ThisExpression') return ['this'];
  if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') return rootOf(node.object);
  const inner = within(node);
  return inner ? rootOf(inner) : [];
}

/** What TypeScript takes for something else: `seen` of `(seen as Seen)`. */
const within = (node: Node): Node | undefined =>
  'expression' in node && typeof node.expression === 'object' ? (node.expression ?? undefined) : undefined;

/** The names of what a statement imports from files of the strategy's own. */
const ownImports = (statement: Node): readonly string[] =>
  statement.type === 'ImportDeclaration' && isFileImport(statement.source.value) ? statement.specifiers.map(({ local }) => local.name) : [];

/** Variables that the module's own functions and classes made. */
function madeIn({ program }: File): OwnObjects {
  const own = new Set(program.body.flatMap(ownImports));
  const made: { name: string; by: string }[] = [];
  for (const statement of program.body) {
    const declared = 'declaration' in statement && statement.declaration ? statement.declaration : statement;
    if ((declared.type === 'FunctionDeclaration' || declared.type === 'ClassDeclaration') && declared.id) own.add(declared.id.name);
    if (declared.type !== 'VariableDeclaration') continue;
    for (const { name, init } of namedIn(declared)) {
      const by = makerOf(init);
      if (by !== undefined) made.push({ name, by });
      else if (FUNCTIONS.has(init.type) || init.type === 'ClassExpression') own.add(name);
    }
  }
  return new Set(made.filter(({ by }) => own.has(by)).map(({ name }) => name));
}

const namedIn = ({ declarations }: VariableDeclaration): readonly { readonly name: string; readonly init: Expression }[] =>
  declarations.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? { name: id.name, init } : []));

function makerOf(init: Expression): string | undefined {
  const isCall = init.type === 'NewExpression' || init.type === 'CallExpression';
  return isCall && init.callee.type === 'Identifier' ? init.callee.name : undefined;
}

/** All names that a module or a function declares, without those of functions in it. */
function namesOf(scope: Node): ReadonlyMap<string, Start> {
  const names = new Map<string, Start>();
  const add = (pattern: Node, start?: Start): void => {
    for (const name of targetsOf(pattern.type === 'TSParameterProperty' ? pattern.parameter : pattern)) names.set(name, start);
  };
  const collect = (node: Node): void => {
    if (node.type === 'VariableDeclarator') add(node.id, startingAs(node.init));
    if (node.type === 'CatchClause' && node.param) add(node.param);
    if (node.type === 'ImportDeclaration') for (const { local } of node.specifiers) names.set(local.name, importedAs(node.source.value));
    if (isNamed(node) && node !== scope) names.set(node.id.name, undefined);
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
    case 'NewExpression':
    case 'CallExpression':
      return 'deep';
    default:
      return startingAs(within(init));
  }
}

const isPlain = ({ type }: Node): boolean => type.endsWith('Literal') || type === 'UnaryExpression' || FUNCTIONS.has(type);

const isNamed = (node: Node): node is Node & { readonly id: { readonly name: string } } =>
  (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id != null;

/** The function under `decide`; of the first, where there are several. */
function decideIn(module: File): Node | undefined {
  for (const node of codeIn(module.program)) {
    if ((node.type !== 'ObjectProperty' && node.type !== 'ObjectMethod') || node.computed) continue;
    if (node.key.type === 'Identifier' && node.key.name === 'decide') return node;
  }
  return undefined;
}

const encloses = (outer: Node | undefined, inner: Node | undefined): boolean =>
  outer?.start != null && outer.end != null && inner?.start != null && outer.start < inner.start && inner.start < outer.end;

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value);
}
