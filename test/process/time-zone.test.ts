import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../support/books.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { runKairos } from '../support/process.ts';
import { syntheticRecording } from '../support/synthetic-recording.ts';

/** The recording is of nine o'clock UTC. */
const HOURS = `import { hold, strategy } from 'kairos/strategy';
export default strategy({
  name: 'hours',
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { now }) => hold(new Date(now).getHours() + ' ' + new Date('2026-01-01T00:00').toISOString()),
});
`;

const folder = new DaemonFolder('time-zone');
const env = { TZ: 'Asia/Kathmandu' };

beforeAll(() => {
  folder.write('hours.ts', HOURS);
  folder.write('kairos.yaml', 'strategies:\n  - { id: hours, use: ./hours.ts, product: btcusd, amount: { base: 0.01 } }\n');
  syntheticRecording({ dir: `${folder.path}/recorded`, lanes: ['btcusd 0.01'], seconds: 5 });
});
afterAll(() => folder.remove());

test('a strategy that asks for the time of day decides the same in every time zone; --local is of the machine', async () => {
  const played = await runKairos(['backtest', '--data', 'recorded', '--journal', 'played.db'], { cwd: folder.path, env });
  expect(played.code, played.stderr).toBe(0);
  const holds = rowsOf<{ detail: string }>(`${folder.path}/played.db`, "SELECT detail FROM decisions WHERE kind = 'hold'");
  expect(new Set(holds.map(({ detail }) => JSON.parse(detail).why))).toEqual(new Set(['9 2026-01-01T00:00:00.000Z']));
  const words = ['journal', 'tail', '-n', '1', '--local', '--set', 'journal.path=played.db'];
  const { stdout } = await runKairos(words, { cwd: folder.path, env });
  expect(stdout).toMatch(/^2026-01-05T09:00:\d\d\.\d{3}Z \(14:45:\d\d \+05:45\) /);
});
