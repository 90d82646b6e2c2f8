import path from 'node:path';
import { afterEach, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, startKairos } from '../support/process.ts';
import { syntheticRecording } from '../support/synthetic-recording.ts';

const folder = new DaemonFolder('warm-up');

afterEach(async () => {
  await endAll();
  folder.remove();
});

test('a start says that what is recorded is too old to warm signals up on, and by which setting', async () => {
  const from = Date.now() - 24 * 60_000;
  syntheticRecording({ dir: path.join(folder.path, 'var/recordings'), run: 'before', lanes: ['btcusd 0.01'], seconds: 10, from });
  folder.write(
    'kairos.yaml',
    'strategies: [{ id: c, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 4 } }]\n',
  );
  const daemon = startKairos(['run'], { cwd: folder.path });
  await daemon.says(
    /btcusd\S*: what is recorded ends 2\d min( \d+ s)? ago, which is more than trading\.warmUpMaxGap \(10 min\): signals warm up without it/,
  );
});
