import { Assertions, type ParsedFile } from './asserting.ts';
import { child, list, namesIn, type SyntaxNode, textIn, walk, wordsOf } from './syntax.ts';

/** A test that names a number of docs/faults.md in its title, in that of a `describe` around it, or in the row of its table. */
export interface NamedTest {
  readonly number: string;
  readonly file: string;
  readonly line: number;
  /** The words that name it. */
  readonly title: string;
  /** Whether an assertion can be reached in it. */
  readonly asserts: boolean;
}

/** A call of `test`, `it` or `describe`, whatever stands between, or of a function of ours that takes a title and declares them. */
interface TestCall {
  readonly call: SyntaxNode;
  readonly above: readonly SyntaxNode[];
}

const NUMBER = /\b(?:[FIB]\d\d|L\d{1,2})b?\b/g;
const DECLARES = new Set(['test', 'it', 'describe']);

function rootOf(callee: SyntaxNode | undefined): string | undefined {
  if (callee?.type === 'Identifier') return textIn(callee, 'name');
  if (callee?.type === 'MemberExpression') return rootOf(child(callee, 'object'));
  return callee?.type === 'CallExpression' || callee?.type === 'TaggedTemplateExpression'
    ? rootOf(child(callee, 'callee') ?? child(callee, 'tag'))
    : undefined;
}

function declarationsIn(tree: SyntaxNode): TestCall[] {
  const found: TestCall[] = [];
  walk(tree, (call, above) => {
    if (call.type !== 'CallExpression' || !DECLARES.has(rootOf(child(call, 'callee')) ?? '')) return;
    if (list(call, 'arguments').length > 1) found.push({ call, above: [...above] });
  });
  return found;
}

/** Constants of the top of a file, by name. */
function constantsOf(tree: SyntaxNode): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  walk(tree, (node) => {
    const init = child(node, 'init');
    const name = textIn(child(node, 'id'), 'name');
    if (node.type === 'VariableDeclarator' && init && name !== undefined) found.set(name, init);
  });
  return found;
}

/** The texts in which a test may name numbers: its title, the rows of its table, and the rows that a loop around it goes through. */
function textsOf({ call, above }: TestCall, constants: ReadonlyMap<string, SyntaxNode>): SyntaxNode[] {
  const [title] = list(call, 'arguments');
  const heads = [child(call, 'callee'), title].flatMap((node) => node ?? []);
  for (const [depth, node] of above.entries()) {
    if (node.type === 'ForOfStatement') heads.push(child(node, 'right') ?? node);
    const next = above[depth + 1] ?? call;
    // rows.map((row) => test(...)), rows.forEach(...)
    if (node.type === 'CallExpression' && list(node, 'arguments').includes(next)) {
      const callee = child(node, 'callee');
      if (!DECLARES.has(rootOf(callee) ?? '') && callee?.type === 'MemberExpression') heads.push(callee);
    }
  }
  const seen = new Set<SyntaxNode>();
  const add = (node: SyntaxNode) => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const name of namesIn(node)) {
      const named = constants.get(name);
      if (named && !named.type.endsWith('FunctionExpression')) add(named);
    }
  };
  for (const head of heads) add(head);
  return [...seen];
}

const bodyOf = (call: SyntaxNode): SyntaxNode | undefined =>
  list(call, 'arguments')
    .slice(1)
    .findLast(({ type }) => type !== 'ObjectExpression' && type !== 'Literal');

/** The tests of `files` that name a number, in their order. */
export function namedTests(files: readonly ParsedFile[]): NamedTest[] {
  const assertions = new Assertions(files);
  return files
    .filter(({ file, text }) => (file.endsWith('.test.ts') || file === 'test/contract/broker.ts') && text.search(NUMBER) >= 0)
    .flatMap((parsed) => {
      const { file, tree, text } = parsed;
      const constants = constantsOf(tree);
      const found = new Map<string, NamedTest>();
      for (const declared of declarationsIn(tree)) {
        const body = bodyOf(declared.call);
        const asserts = body !== undefined && assertions.reachedFrom(body, file);
        for (const node of textsOf(declared, constants)) {
          walk(node, (one) => {
            const title = wordsOf(one);
            for (const number of title?.match(NUMBER) ?? []) {
              const key = `${number} ${one.start}`;
              const line = text.slice(0, one.start).split('\n').length;
              if (title !== undefined && !found.get(key)?.asserts) found.set(key, { number, file, line, title, asserts });
            }
          });
        }
      }
      return [...found.values()];
    });
}
