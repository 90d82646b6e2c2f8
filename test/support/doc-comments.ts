import path from 'node:path';
import { parse } from '@babel/parser';
import type { ClassMethod, Comment, Declaration, Node } from '@babel/types';

/** Functions and lists of so many lines say by name, types and body what they are for. */
const SHORT_LINES = 3;

/** What has a unit, by the last word of its name; `Ms`, `Pct`, `Bytes` and the like at its end say which. */
const MEASURED = 'timeout delay latency duration age width size price fee spread worth value slippage'.split(' ');
/** Words of a comment that name a unit. */
const UNIT =
  /\b(?:how many|ms|(?:milli)?seconds?|minutes?|hours?|days?|percent|bytes?|characters?|currenc(?:y|ies)|base units?|decimals?)\b|%/i;

/** What says in which unit a function's number is, besides: what it counts, or a figure without a unit. */
const RESULT_UNIT = /\b(?:number|count|index|power|share|price|mid|seed|time)\b/i;
/** Units at the end of names. */
const NAMED_UNIT = /(?:Ms|Pct|Bps|Bytes|At|Percent|Seconds)$/;

/** Rooms of which everything exported is for others to use: strategies, their tests, adapters and all other rooms. */
const PUBLIC_ROOMS = /^src\/(?:domain|ports|testing)\//;

/** Names that a file of exports gives on, by the file that they come from; files as in `src/a/b.ts`. */
export function givenOn(index: string, text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const statement of parse(text, { sourceType: 'module', plugins: ['typescript'] }).program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.source) continue;
    const { value } = statement.source;
    const file = value.startsWith('#') ? `src/${value.slice(1)}` : path.posix.join(path.posix.dirname(index), value);
    const names = found.get(file) ?? new Set();
    for (const one of statement.specifiers)
      if (one.type === 'ExportSpecifier' && one.local.type === 'Identifier') names.add(one.local.name);
    found.set(file, names);
  }
  return found;
}

/**
 * What the public declarations of a source do not say, as `file:line: name: what is missing`. In public rooms, and for the
 * names `given` on to strategies, each export needs a comment, each `throw` is told, and each number has its unit.
 */
export function undocumented(file: string, text: string, given: ReadonlySet<string> = new Set()): readonly string[] {
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'], attachComment: true });
  const found: string[] = [];
  const tell = (node: Node, name: string, what: string) => found.push(`${file}:${node.loc?.start.line ?? 0}: ${name}: ${what}`);
  let before = '';
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue;
    const { declaration } = statement;
    const name = nameOf(declaration);
    const words = wordsOf(statement.leadingComments);
    const isPublic = PUBLIC_ROOMS.test(file) || given.has(name);
    // The further forms of a function follow the one that is told.
    if (words === '' && name !== before && (isPublic || needsWords(declaration, name)))
      tell(statement, name, 'no comment says what it is for');
    before = name;
    const thrown = isPublic ? ANY_ERROR : KAIROS_ERROR;
    const mayThrow = text.slice(statement.start ?? 0, statement.end ?? text.length).includes('throw ');
    if (mayThrow && isThrowing(bodyOf(declaration), thrown) && !saysThrows(words))
      tell(statement, name, 'its comment does not say what it throws');
    if (isPublic) for (const what of unitless(declaration, name, words)) tell(statement, name, what);
    if (mayThrow && declaration.type === 'ClassDeclaration') {
      for (const member of declaration.body.body) {
        if (member.type !== 'ClassMethod' || isHidden(member) || !isThrowing(member.body, thrown)) continue;
        const said = wordsOf(member.leadingComments);
        // What an interface asks for is told there.
        if (!saysThrows(said) && (said !== '' || !declaration.implements?.length))
          tell(member, `${name}.${keyOf(member)}`, 'its comment does not say what it throws');
      }
    }
    if (declaration.type === 'TSInterfaceDeclaration') {
      for (const member of declaration.body.body) {
        if (member.type !== 'TSPropertySignature' || !isNumber(member.typeAnnotation) || name.endsWith('Message')) continue;
        const field = keyOf(member);
        if (MEASURED.includes(lastWordOf(field)) && !UNIT.test(`${words} ${wordsOf(member.leadingComments)}`))
          tell(member, `${name}.${field}`, 'no unit');
      }
    }
  }
  return found;
}

const wordsOf = (comments: readonly Comment[] | null | undefined): string => comments?.at(-1)?.value.trim() ?? '';

const lastWordOf = (name: string): string => /[A-Z]?[a-z]*$/.exec(name)?.[0].toLowerCase() ?? '';

const saysThrows = (words: string): boolean => /\b(?:throw|reject)s?\b/i.test(words);

const linesOf = ({ loc }: Node): number => (loc ? loc.end.line - loc.start.line + 1 : 0);

function nameOf(declaration: Declaration): string {
  if (declaration.type === 'VariableDeclaration') {
    const [first] = declaration.declarations;
    return first?.id.type === 'Identifier' ? first.id.name : '';
  }
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? declaration.id.name : '';
}

function keyOf({ key }: { readonly key: Node }): string {
  return key.type === 'Identifier' ? key.name : '';
}

/** Options are told by their fields; a type that is made of another declaration is told there. */
function needsWords(declaration: Declaration, name: string): boolean {
  switch (declaration.type) {
    case 'TSTypeAliasDeclaration':
      return linesOf(declaration) > SHORT_LINES;
    case 'TSInterfaceDeclaration':
      return !/(?:Options|Message)$/.test(name) && linesOf(declaration) > SHORT_LINES;
    case 'FunctionDeclaration':
    case 'VariableDeclaration':
      return linesOf(declaration) > SHORT_LINES;
    default:
      return true;
  }
}

function bodyOf(declaration: Declaration): Node | undefined {
  if (declaration.type === 'FunctionDeclaration') return declaration.body;
  const init = declaration.type === 'VariableDeclaration' ? declaration.declarations[0]?.init : undefined;
  return init?.type === 'ArrowFunctionExpression' ? init.body : undefined;
}

const isHidden = ({ accessibility }: ClassMethod): boolean => accessibility === 'private' || accessibility === 'protected';

function isNumber(annotation: Node | null | undefined): boolean {
  const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined;
  const parts = type?.type === 'TSUnionType' ? type.types : [type];
  return parts.some((part) => part?.type === 'TSNumberKeyword');
}

/** The parameters and the result of a function that are numbers without a unit. */
function unitless(declaration: Declaration, name: string, words: string): readonly string[] {
  const init = declaration.type === 'VariableDeclaration' ? declaration.declarations[0]?.init : declaration;
  if (init?.type !== 'FunctionDeclaration' && init?.type !== 'ArrowFunctionExpression') return [];
  const parameters = init.params.flatMap((one) =>
    one.type === 'Identifier' && isNumber(one.typeAnnotation) && MEASURED.includes(lastWordOf(one.name)) && !UNIT.test(words)
      ? [`no unit of ${one.name}`]
      : [],
  );
  const hasUnit = !isNumber(init.returnType) || NAMED_UNIT.test(name) || UNIT.test(words) || RESULT_UNIT.test(words);
  return hasUnit ? parameters : [...parameters, 'no unit of its result'];
}

const KAIROS_ERROR = (node: Node): boolean =>
  node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'KairosError';
const ANY_ERROR = (): boolean => true;

/** True where code itself throws such an error, not in a function within it and not within a `try`. */
function isThrowing(node: Node | undefined, such: (thrown: Node) => boolean): boolean {
  if (!node) return false;
  if (node.type === 'ThrowStatement') return such(node.argument);
  if (/Function|^ObjectMethod$|^Class/.test(node.type)) return false;
  // What an outer `catch` takes is not thrown; what stands in the handler is.
  const within = node.type === 'TryStatement' && such === ANY_ERROR ? [node.handler?.body, node.finalizer] : Object.entries(node);
  return within.some((entry) => {
    const value: unknown = Array.isArray(entry) ? (/comments$/i.test(String(entry[0])) ? undefined : entry[1]) : entry;
    return (Array.isArray(value) ? value : [value]).some((child) => isNode(child) && isThrowing(child, such));
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}
