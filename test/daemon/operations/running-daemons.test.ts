import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runningDaemons } from '#daemon/operations/running-daemons.ts';
import { folder } from '../../adapters/journal/rows.ts';

const HOLDER = fileURLToPath(new URL('./child-busy-holder.ts', import.meta.url));

test('F75 a daemon whose files come and go while it is looked for is found each time', async () => {
  const journal = path.join(folder(), 'kairos.db');
  const child = spawn(process.execPath, [HOLDER, journal], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const found = Array.from({ length: 100 }, () => runningDaemons().find((one) => one.journal === journal)?.pid);
  expect(new Set(found)).toEqual(new Set([child.pid]));
});
