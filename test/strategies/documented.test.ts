import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isStrategy } from '#core/strategy/contract.ts';
import * as contract from '#core/strategy/index.ts';
import { ROOT } from '../support/root.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const names = readdirSync(path.join(ROOT, 'strategies')).flatMap((file) => (file.endsWith('.ts') ? [path.parse(file).name] : []));

/** The part of docs/strategies-shipped.md whose heading names the strategy. */
const sectionOf = (name: string): string =>
  read('docs/strategies-shipped.md')
    .split(/^## /m)
    .find((section) => (section.split('\n')[0] ?? '').split(', ').includes(name)) ?? '';

describe('docs/strategies-shipped.md tells of each strategy what it has', () => {
  test.each(names)('%s', async (name) => {
    const loaded: { default: unknown } = await import(`../../strategies/${name}.ts`);
    if (!isStrategy(loaded.default)) throw new Error(`${name} is no strategy`);
    const section = sectionOf(name);
    expect(section).toMatch(/\*Idea:\*|Two strategies for comparison/);
    for (const [param, spec] of Object.entries(loaded.default.params ?? {})) {
      expect(section, `${param} of ${name}`).toMatch(new RegExp(`\`${param}\` \\(${String(spec.initial)}[;)]`));
    }
  });
});

test('docs/indicators.md has every operator that turns quotes, numbers, bars and books into signals', () => {
  const folder = path.join(ROOT, 'src/core/strategy/operators');
  const operators = readdirSync(folder).flatMap((file) =>
    [...readFileSync(path.join(folder, file), 'utf8').matchAll(/^export function (\w+)/gm)].map(([, name = '']) => name),
  );
  expect(operators.length).toBeGreaterThan(15);
  expect(operators.filter((name) => !(name in contract))).toEqual([]);
  const page = read('docs/indicators.md');
  expect([...operators, 'candles', 'select', 'observe', 'indicator'].filter((name) => !page.includes(`\`${name}(`))).toEqual([]);
});
