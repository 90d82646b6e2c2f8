import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';

let folder: DaemonFolder;
afterEach(() => folder.remove());

const OWN = `import { buy, param, strategy } from 'kairos/strategy';
export default strategy({
  name: 'own',
  params: { mode: param.choice('a', ['a', 'b']), size: param.int(3, { min: 1, max: 9, log: true, sweep: [1, 8, 2] }) },
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { amount }) => buy(amount, 'always'),
});
`;

test('strategies lists what is shipped and what is yours, with parameters, users, and what is wrong with a broken one', async () => {
  folder = new DaemonFolder('strategies');
  mkdirSync(path.join(folder.path, 'strategies'));
  folder.write('strategies/own.ts', OWN);
  folder.write('strategies/broken.ts', 'export default 7;\n');
  folder.write('kairos.yaml', 'strategies: [{ id: mine, use: own, product: btcusd, amount: { base: 0.01 } }]\n');
  const cwd = folder.path;
  const { code, stdout } = await kairosHere(['strategies', '--json'], { cwd });
  expect(code).toBe(0);
  const listed: unknown = JSON.parse(stdout);
  expect(listed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ use: 'sma-cross', from: 'shipped', usedBy: [], wrong: null }),
      expect.objectContaining({
        use: 'own',
        from: 'yours',
        usedBy: ['mine'],
        params: [
          { name: 'mode', kind: 'choice', initial: 'a', allowed: 'a, b' },
          { name: 'size', kind: 'int', initial: 3, allowed: '1 to 9, searched by ratio' },
        ],
      }),
      expect.objectContaining({ use: 'broken', wrong: expect.stringContaining('was not made by strategy()') }),
    ]),
  );
  expect(await kairosHere(['strategies'], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^own +yours +mode \(a; a, b\)/m),
  });
});
