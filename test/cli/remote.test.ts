import { expect, onTestFinished, test } from 'vitest';
import { type Behave, json, service } from '../conformance/client/harness.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';

/** Runs `kairos remote` in a folder of its own, on a service that answers as the test says. */
async function remote(behave: Behave) {
  const folder = new DaemonFolder('remote-answers');
  onTestFinished(() => folder.remove());
  folder.write('kairos.yaml', 'mode: live\nstrategies: []\n');
  const { baseUrl, heard } = await service(behave);
  const env = { KAIROS_BASE_URL: baseUrl, KAIROS_TOKEN: 'a.b' };
  return { heard, kairos: (...args: string[]) => kairosHere(['remote', ...args], { cwd: folder.path, env }) };
}

const NOT_ALL =
  /^kairos: not every strategy could be read: http:\/\/\S+ answered the list of strategies with 1 of \d strategies without a strategyId/m;

test('strategies of which one cannot be read are shown, and an error says so: never that there is none', async () => {
  const list: object[] = [{ id: 's-2' }];
  const { kairos } = await remote((_request, response) => json(response, 200, list));
  expect(await kairos('find')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(NOT_ALL) });
  list.push({ strategyId: 's-1', state: { status: 'PAUSED' } });
  expect(await kairos('find')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('s-1'),
    stderr: expect.stringMatching(NOT_ALL),
  });
  const asJson = await kairos('find', '--json');
  expect(asJson).toMatchObject({ code: 1 });
  expect(JSON.parse(asJson.stdout)).toMatchObject([{ strategyId: 's-1' }]);
  list.splice(0);
  expect(await kairos('find')).toMatchObject({ code: 0, stderr: expect.stringContaining('has no strategy of yours') });
});
