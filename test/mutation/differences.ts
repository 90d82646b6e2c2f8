import { pathToFileURL } from 'node:url';
import { INSTALLED } from '../../scripts/stryker/installed.ts';

/** Kinds of mutants whose value may be worked out beside the code's own. */
const VALUES = new Set([
  'ArithmeticOperator',
  'ArrayDeclaration',
  'BooleanLiteral',
  'ConditionalExpression',
  'EqualityOperator',
  'LogicalOperator',
  'MethodExpression',
  'ObjectLiteral',
  'Regex',
]);
/** Code that does more than give a value. */
const HAS_EFFECT = /\b(await|yield)\b|\.(shift|pop|push|set|delete|add)\(|\+\+|--|[^=!<>]=[^=>]/;

interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

/** `stryMutAct("7") ? a <= b : (stryCov("7"), a < b)`, as Stryker writes a mutant into the code; of several the next one is the alternate. */
interface Choice extends Node {
  readonly test: Node & { readonly arguments: readonly [{ readonly value: string }] };
  readonly consequent: Node;
  alternate: Node;
}

/**
 * Code with mutants in it, which tells of those that are not active how often their value is another than the code's own: `a < b` becomes
 * `differing(a < b, [['7', () => a <= b]])`. Where it never is, all goes as it would without the mutant. `mutators` by the mutants' ids.
 */
export async function tellingApart(content: string, mutators: ReadonlyMap<string, string>): Promise<string> {
  const from = (name: string) => import(pathToFileURL(`${INSTALLED}/node_modules/@babel/${name}/lib/index.js`).href);
  const [{ parse }, { generate }, types] = await Promise.all([from('parser'), from('generator'), from('types')]);
  const tree = parse(content, { sourceType: 'module', plugins: ['typescript'] });
  const choices: Choice[] = [];
  types.traverseFast(tree, (node: Node) => {
    if (isChoice(node)) choices.push(node);
  });
  const behind = new Set(choices.map(({ alternate }) => alternate));
  for (const first of choices) {
    if (behind.has(first)) continue;
    const chain = chainOf(first);
    const values = chain.filter(({ test, consequent }) => {
      return VALUES.has(mutators.get(test.arguments[0].value) ?? '') && !HAS_EFFECT.test(generate(consequent).code);
    });
    const last = chain.at(-1);
    if (values.length === 0 || last?.alternate.type !== 'SequenceExpression') continue;
    const [cover, own] = last.alternate.expressions as readonly Node[];
    const others = values.map(({ test, consequent }) =>
      types.arrayExpression([test.arguments[0], types.arrowFunctionExpression([], types.cloneNode(consequent, true))]),
    );
    const told = types.callExpression(types.identifier('differing'), [own, types.arrayExpression(others)]);
    last.alternate = types.sequenceExpression([cover, told]);
  }
  return `${generate(tree).code}\nfunction differing(value, others) { return globalThis.__stryker__.differing(value, others); }\n`;
}

function chainOf(first: Choice): readonly Choice[] {
  return isChoice(first.alternate) ? [first, ...chainOf(first.alternate)] : [first];
}

function isChoice(node: Node): node is Choice {
  const { type, callee } = (node.test ?? {}) as { type?: string; callee?: { name?: string } };
  return node.type === 'ConditionalExpression' && type === 'CallExpression' && callee?.name === 'stryMutAct_9fa48';
}
