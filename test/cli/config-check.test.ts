import { expect, test } from 'vitest';
import { folder, inspect } from '../config/support.ts';
import { runKairos } from '../support/process.ts';

const entry = (id: string, more: Readonly<Record<string, string>> = {}): string => {
  const fields = { id, use: 'sma-cross', product: 'btcusd', amount: '{ base: 0.01 }', ...more };
  return `  - { ${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }\n`;
};

test('config check tells the faults of every strategy in one go, whatever is wrong with another entry', async () => {
  const cwd = folder();
  const bad = [
    entry('zero', { amount: '{ base: 0 }' }),
    entry('missing', { use: './strategies/missing.ts' }),
    entry('misspelt', { use: 'sma-cros' }),
    entry('params', { params: '{ fast: many, slow: 30 }' }),
    entry('where', { params: '{ fast: 50, slow: 30, slwo: 4 }' }),
  ];
  inspect(`strategies:\n${bad.join('')}`, { cwd });
  const { code, stderr } = await runKairos(['config', 'check'], { cwd });
  expect(code).toBe(2);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^kairos: kairos\.yaml:2: strategies\[0\]\.amount\.base: must be a number above 0/),
    expect.stringMatching(/^kairos: kairos\.yaml:3: strategy missing: use: .* does not exist/),
    expect.stringMatching(/^kairos: kairos\.yaml:4: strategy misspelt: use: .*'sma-cros'/),
    expect.stringMatching(/^kairos: kairos\.yaml:5: strategy params: params\.fast: must be a number/),
    expect.stringMatching(/^kairos: kairos\.yaml:6: strategy where: params\.slwo: unknown; .*; .*fast.*50.*slow.*30/),
  ]);
});
