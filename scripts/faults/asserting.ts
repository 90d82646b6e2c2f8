import { child, list, nameRead, type SyntaxNode, textIn, walk } from './syntax.ts';

/** A parsed file of the tests. */
export interface ParsedFile {
  /** Path from the checkout, with `/`. */
  readonly file: string;
  readonly text: string;
  readonly tree: SyntaxNode;
}

const ASSERTIONS = new Set(['expect', 'assert', 'expectTypeOf']);

const isAssertion = (key: string): boolean => ASSERTIONS.has(key.slice(key.lastIndexOf('#') + 1));

/** Functions by name: declared, a constant that is one, a method or a field that is one. */
function functionsOf({ tree }: ParsedFile): Map<string, SyntaxNode[]> {
  const found = new Map<string, SyntaxNode[]>();
  const add = (name: string | undefined, body: SyntaxNode | undefined) => {
    if (name !== undefined && body) found.set(name, [...(found.get(name) ?? []), body]);
  };
  walk(tree, (node) => {
    if (node.type === 'FunctionDeclaration') add(textIn(child(node, 'id'), 'name'), child(node, 'body'));
    else if (node.type === 'VariableDeclarator') add(textIn(child(node, 'id'), 'name'), child(node, 'init'));
    else if (node.type === 'MethodDefinition' || node.type === 'Property' || node.type === 'PropertyDefinition')
      add(`.${textIn(child(node, 'key'), 'name')}`, child(node, 'value'));
  });
  return found;
}

/** The names that a node calls or hands on: identifiers, and `.name` of what is called as a method. */
function usesOf(node: SyntaxNode): Set<string> {
  const uses = new Set<string>();
  walk(node, (one, above) => {
    const name = nameRead(one, above.at(-1));
    if (name !== undefined) uses.add(name);
    else if (one.type === 'CallExpression' && child(one, 'callee')?.type === 'MemberExpression')
      uses.add(`.${textIn(child(child(one, 'callee'), 'property'), 'name')}`);
  });
  return uses;
}

/**
 * Whether an assertion can be reached from a node, through functions of its own file and of the files that the tests share. Names stand
 * for what they name: two functions of one name in different files are told apart by imports, two methods of one name are not.
 */
export class Assertions {
  private readonly imports = new Map<string, Map<string, string>>();
  private readonly reaching = new Set<string>();

  constructor(files: readonly ParsedFile[]) {
    const bodies = files.flatMap((parsed) => {
      this.imports.set(parsed.file, this.importsOf(parsed));
      return [...functionsOf(parsed)].flatMap(([name, nodes]) =>
        nodes.map((node) => ({ key: this.key(parsed.file, name), uses: [...usesOf(node)].map((use) => this.key(parsed.file, use)) })),
      );
    });
    // Whoever uses one that reaches an assertion reaches it.
    const users = new Map<string, string[]>();
    for (const { key, uses } of bodies) {
      for (const use of uses) {
        const known = users.get(use);
        if (known) known.push(key);
        else users.set(use, [key]);
      }
    }
    const reach = (key: string): void => {
      if (this.reaching.has(key)) return;
      this.reaching.add(key);
      for (const user of users.get(key) ?? []) reach(user);
    };
    for (const { key, uses } of bodies) if (uses.some(isAssertion)) reach(key);
  }

  /** Whether `node`, in `file`, reaches one. */
  reachedFrom(node: SyntaxNode, file: string): boolean {
    return [...usesOf(node)].some((use) => this.holds(this.key(file, use)));
  }

  private holds(key: string): boolean {
    return isAssertion(key) || this.reaching.has(key);
  }

  private key(file: string, name: string): string {
    if (name.startsWith('.')) return name;
    return this.imports.get(file)?.get(name) ?? `${file}#${name}`;
  }

  private importsOf({ file, tree }: ParsedFile): Map<string, string> {
    const found = new Map<string, string>();
    for (const statement of list(tree, 'body')) {
      const from = textIn(child(statement, 'source'), 'value');
      if (statement.type !== 'ImportDeclaration' || !from?.startsWith('.')) continue;
      const target = new URL(from, `file:///${file}`).pathname.slice(1);
      for (const one of list(statement, 'specifiers'))
        found.set(textIn(child(one, 'local'), 'name') ?? '', `${target}#${textIn(child(one, 'imported'), 'name')}`);
    }
    return found;
  }
}
