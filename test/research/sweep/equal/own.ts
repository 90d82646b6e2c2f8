import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../support/root.ts';
import type { Draw, Values } from './drawn.ts';

/** Strategies of a user, one for each thing that the screen is to know: their source, and drawn parameters. */
interface Own {
  readonly lines: readonly string[];
  readonly params: (draw: Draw) => Values;
}

const ofLength = (draw: Draw): Values => ({ n: 2 + draw(40) });
const CROSS = 'signals: ({ quotes$ }, { n }) => quotes$.pipe(mid(), above(ema(n), ema(3 * n))),';

export const OWN: Readonly<Record<string, Own>> = {
  'own-numbers': {
    params: ofLength,
    lines: [
      'warmup: ({ n }) => ({ quotes: n }),',
      'signals: ({ quotes$ }, { n }) => quotes$.pipe(mid(), ema(n)),',
      "decide: (x, view) => towards(view.quote !== undefined && view.quote.sell.price > x ? 'long' : 'flat', view, { reason: 'mean' }),",
    ],
  },
  'own-texts': {
    params: ofLength,
    lines: [
      "warmup: ({ n }) => ({ duration: n + 's' }),",
      "signals: ({ quotes$ }, { n }) => quotes$.pipe(mid(), sma(n), pairwise(), map(([a, b]) => (b > a ? 'rising' : 'falling'))),",
      "decide: (word, view) => towards(word === 'rising' ? 'long' : 'short', view, { reason: word, within: '20s' }),",
    ],
  },
  'own-quotes': {
    params: ofLength,
    lines: [
      'signals: ({ quotes$ }) => quotes$,',
      "decide: (quote, view, { n }) => (Math.floor(quote.buy.price) % n === 0 ? towards(view.position.isFlat ? 'long' : 'flat', view, { reason: 'price' }) : undefined),",
    ],
  },
  'own-view': {
    params: ofLength,
    lines: [
      CROSS,
      'decide: (word, view, { n }) => {',
      '  const { average = 0, unrealised = 0, openedAt = 0, entries, isFlat } = view.position;',
      "  if (!isFlat && (unrealised < -0.01 * n * 0.01 || view.now - openedAt > 5_000 * n || entries > 1)) return close(100, 'enough');",
      '  if (view.budgetLeft < 100 || (view.equity ?? 0) < 100) return undefined;',
      "  if (isFlat && view.last?.state === 'accepted' && view.last.side === 'sell' && view.now - view.last.at < 1_000 * n) return undefined;",
      "  return towards(word === 'above' && average !== 1 ? 'long' : 'flat', view, { reason: word });",
      '},',
    ],
  },
  'own-state': {
    params: ofLength,
    lines: [
      'state: {',
      '  initial: { trades: 0, paid: 0, at: 0, above: 0 },',
      '  on: (state, event) => {',
      "    if (event.type === 'signal') return event.signal === 'above' ? { ...state, above: state.above + 1 } : state;",
      "    if (event.type !== 'outcome' || event.outcome.state !== 'accepted') return state;",
      '    return { ...state, trades: state.trades + 1, paid: event.outcome.price ?? 0, at: event.outcome.at };',
      '  },',
      '},',
      CROSS,
      "decide: (word, view, { n }) => (view.state.trades > 12 || view.now - view.state.at < 100 * n || view.state.above % 7 === 3 ? undefined : towards(word === 'above' && view.state.paid !== 1 ? 'long' : 'flat', view, { reason: word })),",
    ],
  },
  'own-bars': {
    params: ofLength,
    lines: [
      "signals: ({ quotes$ }, { n }) => quotes$.pipe(candles(n + 's')),",
      "decide: ({ mid: { open, close } }, view) => towards(close > open ? 'long' : 'short', view, { reason: 'bar' }),",
    ],
  },
  'own-operator': {
    params: ofLength,
    lines: [
      'signals: ({ quotes$ }, { n }) => quotes$.pipe(mid(), roc(n), sma(5)),',
      "decide: (change, view) => towards(change > 0.002 ? 'long' : 'flat', view, { reason: 'change' }),",
    ],
  },
};

/** The operator of the page on indicators, as it stands there. */
function documentedOperator(): string {
  const page = readFileSync(path.join(ROOT, 'docs/indicators.md'), 'utf8');
  const block = page.split('```ts\n').find((text) => text.includes('export const roc ='));
  if (block === undefined) throw new Error('docs/indicators.md has no operator roc');
  return block.slice(0, block.indexOf('```'));
}

export function writeOwn(cwd: string): void {
  const folder = path.join(cwd, 'strategies');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'roc.ts'), documentedOperator());
  for (const [name, { lines }] of Object.entries(OWN))
    writeFileSync(
      path.join(folder, `${name}.ts`),
      `import { above, candles, close, ema, mid, param, sma, strategy, towards } from 'kairos/strategy';
import { map, pairwise } from 'rxjs';
import { roc } from './roc.ts';
export default strategy({
  name: '${name}',
  params: { n: param.int(5, { min: 2 }) },
  ${lines.join('\n  ')}
});
`,
    );
}
