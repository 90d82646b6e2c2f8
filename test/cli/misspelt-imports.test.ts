import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderOfTests } from '../support/folder.ts';
import { runKairos } from '../support/process.ts';

const cwd = folderOfTests();

const FILES = {
  'name.ts': "import {\n  mapp,\n} from 'rxjs';\nexport const own = mapp;",
  'contract.ts': "import { buyy } from 'kairos/strategy';\nexport const own = buyy;",
  'package.ts': "import * as rx from 'rxjss';\nexport const own = rx;",
  'helper.ts': 'export const helper = 1;',
  'beside.ts': "import { helpe } from './helper.ts';\nexport const own = helpe;",
  'between.ts': "import { nothing } from 'rxjs';\nexport const between = nothing;",
  'inside.ts': "import { between } from './between.ts';\nexport const own = between;",
};
const STRATEGY = `
import { strategy } from 'kairos/strategy';
export default strategy({ name: 'own', signals: ({ quotes$ }) => quotes$, decide: () => undefined });
`;

test('each misspelt import of a strategy is told with file, line and column', async () => {
  for (const [file, source] of Object.entries(FILES)) writeFileSync(path.join(cwd, file), source + STRATEGY);
  const used = ['name', 'contract', 'package', 'beside', 'inside'];
  const entries = used.map((file) => `  - { id: ${file}, use: ./${file}.ts, product: btcusd, amount: { base: 0.01 } }`);
  writeFileSync(path.join(cwd, 'kairos.yaml'), `strategies:\n${entries.join('\n')}\n`);
  const { code, stderr } = await runKairos(['config', 'check'], { cwd });
  expect(code).toBe(2);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(used.length);
  for (const [n, told] of [
    /strategy name: .*name\.ts:3:8: .*'rxjs'.*'mapp'/,
    /strategy contract: .*contract\.ts:1:22: .*'kairos\/strategy'.*'buyy'/,
    /strategy package: .*package\.ts:1:21: .*'rxjss'/,
    /strategy beside: .*beside\.ts:1:23: .*'\.\/helper\.ts'.*'helpe'/,
    /strategy inside: .*between\.ts:1:25: .*'rxjs'.*'nothing'/,
  ].entries())
    expect(lines[n]).toMatch(told);
});
