import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { syntheticRecording } from '../support/synthetic-recording.ts';

const WIDTH = 80;
const folder = new DaemonFolder('lines');

beforeAll(() => {
  const entries = [5, 9].map(
    (fast) => `  - { id: cross-${fast}, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: ${fast}, slow: 20 } }\n`,
  );
  folder.write('kairos.yaml', `strategies:\n${entries.join('')}`);
  syntheticRecording({ dir: `${folder.path}/recorded`, lanes: ['btcusd 0.01'], seconds: 300 });
});
afterAll(() => folder.remove());

test('a backtest of two strategies prints at most ten lines on a terminal of 80 columns', async () => {
  const { isTTY, columns } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: WIDTH });
  try {
    const ended = await kairosHere(['backtest', '--data', 'recorded'], { cwd: folder.path });
    const [stdout, code] = [stripVTControlCharacters(ended.stdout), ended.code];
    const lines = stdout.trimEnd().split('\n');
    expect(code, stdout).toBe(0);
    expect(lines.length, stdout).toBeLessThanOrEqual(10);
    expect(stdout).toMatch(/^(?:Too few trades|Lost|Made)[\s\S]*^BACKTEST {2}[\s\S]*^total /m);
  } finally {
    Object.assign(process.stdout, { isTTY, columns });
  }
});
