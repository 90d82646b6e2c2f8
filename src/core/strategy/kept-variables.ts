import type { Expression, File, Node } from '@babel/types';
import { isFileImport } from './source-files.ts';
import { codeIn, type Place, placeOf } from './source-syntax.ts';
import {
  type Alias,
  childrenOf,
  FUNCTIONS,
  handed,
  methodOf,
  type Name,
  namedIn,
  namesOf,
  type Returns,
  returnedIn,
  rootOf,
  targetsOf,
} from './source-values.ts';

/** A variable that a function changes and that `decide` could read at its next call. */
export interface KeptVariable {
  readonly name: string;
  /** Where it is changed. */
  readonly place: Place;
}

/** Methods by which collections, and subjects of rxjs, are changed. */
const CHANGING = new Set('add clear copyWithin delete fill next pop push reverse set shift sort splice unshift'.split(' '));

/** The names of a module or a function. */
interface Scope {
  readonly names: ReadonlyMap<string, Name>;
  /** True where `decide` sees them and they outlive its call: of the module, and of a function that makes the strategy. */
  readonly isKept: boolean;
}

/** What a module makes at its top by its own code, so that it may change at each call. */
type OwnObjects = ReadonlySet<string>;

/**
 * The first variable of a module that one of its functions changes while it outlives the call: with it `decide` is no function of what it is
 * given. Objects are taken to change by assignments to their members, by methods of collections, by another name, by being given to a
 * function of the strategy's own files and, where the module's own code made them, by any call. So are those that a collection or a
 * function of the module gives out.
 */
export function keptVariable(module: File): KeptVariable | undefined {
  const returned = returnedIn(module);
  const top: Scope = { names: namesOf(module.program, returned), isKept: true };
  return changedIn(module.program, [top], { decide: decideIn(module), made: madeIn(module), returned });
}

interface ModuleParts {
  readonly decide: Node | undefined;
  readonly made: OwnObjects;
  readonly returned: Returns;
}

function changedIn(node: Node, scopes: readonly Scope[], found: ModuleParts): KeptVariable | undefined {
  const isFunction = FUNCTIONS.has(node.type);
  const inner = isFunction ? [...scopes, { names: namesOf(node, found.returned), isKept: encloses(node, found.decide) }] : scopes;
  if (inner.length > 1) {
    for (const root of [...changedBy(node, found), ...handedBy(node, inner, found.returned)]) {
      const place = placeOf(node);
      const name = root.name === 'this' ? (encloses(found.decide, node) ? 'this' : undefined) : keptName(root, inner);
      if (name !== undefined && place) return { name, place };
    }
  }
  for (const child of childrenOf(node)) {
    const kept = changedIn(child, inner, found);
    if (kept) return kept;
  }
  return undefined;
}

/** The name, where the innermost scope that has it outlives the function at work; of a member also one that it came from. */
function keptName({ name, isMember }: Alias, scopes: readonly Scope[], through: readonly string[] = []): string | undefined {
  const at = scopes.findLastIndex(({ names }) => names.has(name));
  if (at < 0 || through.includes(name)) return undefined;
  if (at < scopes.length - 1 && scopes[at]?.isKept) return name;
  const from = isMember ? (scopes[at]?.names.get(name)?.from ?? []) : [];
  for (const one of from) {
    const kept = keptName({ name: one, isMember }, scopes, [...through, name]);
    if (kept !== undefined) return kept;
  }
  return undefined;
}

/** The variables that a node changes, or whose objects it changes. */
function changedBy(node: Node, { made, returned }: ModuleParts): readonly Alias[] {
  switch (node.type) {
    case 'AssignmentExpression':
      return targetsOf(node.left, returned);
    case 'UpdateExpression':
      return targetsOf(node.argument, returned);
    case 'UnaryExpression':
      return node.operator === 'delete' ? targetsOf(node.argument, returned) : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? [] : targetsOf(node.left, returned);
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const { callee } = node;
      const roots = (of: Node): readonly Alias[] => rootOf(of, returned).map((name) => ({ name, isMember: true }));
      const of = roots(callee).filter(({ name }) => made.has(name));
      if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return of;
      const [first] = node.arguments;
      if (methodOf(node) === 'assign' && first && first.type !== 'ArgumentPlaceholder') return roots(first);
      return CHANGING.has(methodOf(node)) ? roots(callee) : of;
    }
    default:
      return [];
  }
}

/** The variables whose objects a node gives another name, or to a function of the strategy's own files, so that they may be changed there. */
function handedBy(node: Node, scopes: readonly Scope[], returned: Returns): readonly Alias[] {
  return givenBy(node, scopes, returned).flatMap((alias) => {
    const { start, from = [] } = nameIn(alias.name, scopes) ?? {};
    if (from.some((one) => nameIn(one, scopes)?.start === 'deep')) return [{ ...alias, isMember: true }];
    return start === 'deep' || (start === 'flat' && !alias.isMember) ? [alias] : [];
  });
}

const nameIn = (name: string, scopes: readonly Scope[]): Name | undefined =>
  scopes.findLast(({ names }) => names.has(name))?.names.get(name);

function givenBy(node: Node, scopes: readonly Scope[], returned: Returns): readonly Alias[] {
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
      const isOwn = (node.callee.type === 'Identifier' ? at >= 0 : at === 0) && nameIn(name, scopes)?.start !== 'foreign';
      return isOwn ? node.arguments.flatMap((one) => handed(one, false, returned)) : [];
    }
    default:
      return [];
  }
}

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

function makerOf(init: Expression): string | undefined {
  const isCall = init.type === 'NewExpression' || init.type === 'CallExpression';
  return isCall && init.callee.type === 'Identifier' ? init.callee.name : undefined;
}

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
