import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { endAll, Started } from '../support/process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

afterEach(endAll);

const CHILD = `
const { guardLoading, guarded } = await import('#assembly/load-guard.ts');
guardLoading(500);
await guarded('well', async () => {});
await guarded('endless\\u001b', async () => { for (;;); });
`;

test('F69 a module that loops as it is loaded ends a command with a line that names the strategy', async () => {
  const child = new Started(process.execPath, ['--import', './scripts/own-modules.mjs', '--input-type=module', '-e', CHILD], { cwd: ROOT });
  expect(await child.ended).toMatchObject({
    signal: 'SIGKILL',
    stderr: expect.stringMatching(
      /^kairos: strategy endless : its module was not loaded within 0\.5 s: look for a loop outside of its functions$/m,
    ),
  });
});
