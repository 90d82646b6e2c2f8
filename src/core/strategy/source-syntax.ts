import { parse } from '@babel/parser';
import type { File, Node } from '@babel/types';

/** A place in a source: line and column, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** So many expressions or blocks may stand in each other: far more than a person writes, far less than the stack has room for. */
const MAX_DEPTH = 1_000;

/** A source that nothing may go through, the compiler least of all. Has Babel's `loc` where the place is known. */
export class TooDeep extends SyntaxError {
  readonly loc: unknown;
  constructor(loc?: unknown) {
    super(`more than ${MAX_DEPTH} expressions stand in each other: give parts of it names of their own`);
    this.loc = loc;
  }
}

/**
 * Reads a module's source. Throws a SyntaxError with Babel's `loc` for what it cannot read, and TooDeep; what it can go on behind is left to
 * the compiler.
 */
export function syntaxOf(source: string, language: 'ts' | 'js' = 'ts'): File {
  const file = parsed(source, language);
  for (let level: readonly Node[] = [file.program], depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MAX_DEPTH) throw new TooDeep(first?.loc);
    level = level.flatMap((node) => Object.values(node).flat().filter(isNode));
  }
  return file;
}

function parsed(source: string, language: 'ts' | 'js'): File {
  try {
    return parse(source, {
      sourceType: 'module',
      plugins: ['decorators', 'decoratorAutoAccessors', ...(language === 'ts' ? (['typescript'] as const) : [])],
      errorRecovery: true,
      attachComment: false,
    });
  } catch (error) {
    // The parser calls itself for each of them.
    if (error instanceof RangeError) throw new TooDeep();
    throw error;
  }
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
export function* codeIn(first: Node): Generator<Node> {
  const open = [first];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    open.push(...codeBelow(node).reverse());
  }
}

function codeBelow(node: Node): Node[] {
  const isTyping = node.type.startsWith('TS');
  const isComputed = 'computed' in node && node.computed;
  const below = Object.entries(node).filter(
    ([key]) =>
      key !== 'specifiers' &&
      !(isTyping && !CODE_AMONG_TYPES.has(key)) &&
      (isComputed || (key !== 'key' && key !== 'property' && key !== 'label')),
  );
  return below.flatMap(([, value]) => value).filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}
