import { parse } from '@babel/parser';
import type { File, Node } from '@babel/types';

/** A place in a source: line and column, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Reads a module's source. Throws a SyntaxError with Babel's `loc` for what it cannot read; what it can go on behind is left to the compiler. */
export function syntaxOf(source: string, language: 'ts' | 'js' = 'ts'): File {
  return parse(source, {
    sourceType: 'module',
    plugins: ['decorators', 'decoratorAutoAccessors', ...(language === 'ts' ? (['typescript'] as const) : [])],
    errorRecovery: true,
    attachComment: false,
  });
}

/** Where a node begins; of a SyntaxError of Babel's, where reading ended. */
export function placeOf(found: unknown): Place | undefined {
  const loc: unknown = typeof found === 'object' && found !== null && 'loc' in found ? found.loc : undefined;
  const start: unknown = typeof loc === 'object' && loc !== null && 'start' in loc ? loc.start : loc;
  if (typeof start !== 'object' || start === null || !('line' in start) || !('column' in start)) return undefined;
  const { line, column } = start;
  return typeof line === 'number' && typeof column === 'number' ? { line, column: column + 1 } : undefined;
}

/** Where nodes of TypeScript's own have code in them, such as `x` in `x as Y`. All else in them only types. */
const CODE_AMONG_TYPES: ReadonlySet<string> = new Set(['expression', 'parameter', 'body', 'members', 'initializer']);

/** The nodes of the code below one, itself first: without types, and without identifiers that only name a member, a key or a label. */
export function* codeIn(node: Node): Generator<Node> {
  yield node;
  const isTyping = node.type.startsWith('TS');
  const isComputed = 'computed' in node && node.computed;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'specifiers' || (isTyping && !CODE_AMONG_TYPES.has(key))) continue;
    if (!isComputed && (key === 'key' || key === 'property' || key === 'label')) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* codeIn(child);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}
