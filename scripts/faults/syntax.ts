import { parseAst } from 'vitest/node';

/** A node of a syntax tree, by position in its text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** The tree of a source, TypeScript by its name. Throws where it cannot be parsed. */
export function parse(text: string, file: string): SyntaxNode {
  const tree: unknown = parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }, file);
  if (!isNode(tree)) throw new Error(`${file}: no tree`);
  return tree;
}

/** A node in a field, or undefined. */
export const child = (node: SyntaxNode | undefined, field: string): SyntaxNode | undefined => {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
};

/** The nodes of a field that holds a list. */
export const list = (node: SyntaxNode | undefined, field: string): SyntaxNode[] => {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
};

/** A text in a field, for example the name of an identifier. */
export const textIn = (node: SyntaxNode | undefined, field: string): string | undefined => {
  const value = node?.[field];
  return typeof value === 'string' ? value : undefined;
};

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));
}

/** Every node below and with `node`, with its ancestors, outermost first. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode, above: readonly SyntaxNode[]) => void): void {
  const above: SyntaxNode[] = [];
  const go = (one: SyntaxNode) => {
    visit(one, above);
    above.push(one);
    for (const value of Object.values(one)) {
      if (Array.isArray(value)) {
        for (const item of value) if (isNode(item)) go(item);
      } else if (isNode(value)) go(value);
    }
    above.pop();
  };
  go(node);
}

/** What a text says, the pieces of a template joined by `…`; undefined for any other node. */
export function wordsOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Literal') return textIn(node, 'value');
  if (node.type !== 'TemplateLiteral') return undefined;
  return list(node, 'quasis')
    .map((quasi) => {
      const value = quasi.value;
      return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
    })
    .join('…');
}

/** The name of an identifier that is read; undefined for any other node, and for one that is a field's. */
export function nameRead(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  if (node.type !== 'Identifier') return undefined;
  const isField = parent?.type === 'MemberExpression' && child(parent, 'property') === node && parent.computed === false;
  return isField ? undefined : (textIn(node, 'name') ?? '');
}

/** The names of the identifiers that are read below `node`. */
export function namesIn(node: SyntaxNode): Set<string> {
  const names = new Set<string>();
  walk(node, (one, above) => {
    const name = nameRead(one, above.at(-1));
    if (name !== undefined) names.add(name);
  });
  return names;
}
