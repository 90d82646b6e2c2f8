import { parse } from '@babel/parser';
import type { ClassMethod, Comment, Declaration, Node } from '@babel/types';

/** Functions and lists of so many lines say by name, types and body what they are for. */
const SHORT_LINES = 3;

/** What has a unit, by the last word of its name; `Ms`, `Pct`, `Bytes` and the like at its end say which. */
const MEASURED = 'timeout delay latency duration age width size price fee spread worth value slippage'.split(' ');
/** Words of a comment that name a unit. */
const UNIT =
  /\b(?:how many|ms|(?:milli)?seconds?|minutes?|hours?|days?|percent|bytes?|characters?|currenc(?:y|ies)|base units?|decimals?)\b|%/i;

/** What the public declarations of a source do not say, as `file:line: name: what is missing`. */
export function undocumented(file: string, text: string): readonly string[] {
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'], attachComment: true });
  const found: string[] = [];
  const tell = (node: Node, name: string, what: string) => found.push(`${file}:${node.loc?.start.line ?? 0}: ${name}: ${what}`);
  let before = '';
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue;
    const { declaration } = statement;
    const name = nameOf(declaration);
    const words = wordsOf(statement.leadingComments);
    // The further forms of a function follow the one that is told.
    if (words === '' && name !== before && needsWords(declaration, name)) tell(statement, name, 'no comment says what it is for');
    before = name;
    if (isThrowing(bodyOf(declaration)) && !saysThrows(words)) tell(statement, name, 'its comment does not say what it throws');
    if (declaration.type === 'ClassDeclaration') {
      for (const member of declaration.body.body) {
        if (member.type !== 'ClassMethod' || isHidden(member) || !isThrowing(member.body)) continue;
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

/** True where code throws a KairosError itself, not in a function within it and not within a `try`. */
function isThrowing(node: Node | undefined): boolean {
  if (!node) return false;
  if (node.type === 'ThrowStatement') {
    const { argument } = node;
    return argument.type === 'NewExpression' && argument.callee.type === 'Identifier' && argument.callee.name === 'KairosError';
  }
  if (/Function|^ObjectMethod$|^Class/.test(node.type)) return false;
  return Object.entries(node).some(
    ([key, value]) =>
      !/comments$/i.test(key) && (Array.isArray(value) ? value : [value]).some((child) => isNode(child) && isThrowing(child)),
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}
