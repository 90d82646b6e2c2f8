import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { folderOfTests } from '../support/folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, startKairos } from '../support/process.ts';

const cwd = folderOfTests();
afterEach(endAll);

// Eight processes, one after the other.
test('kairos venue, and what a person makes happen there: a deposit that is told, its notification, the end of sessions', async () => {
  const told: string[] = [];
  const partner = createServer((request, response) => {
    request.on('data', (chunk) => told.push(String(chunk)));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve));
  const address = partner.address();
  const hook = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/hook`;
  const settings = ['--set', 'venue.database=:memory:', '--set', `venue.webhooks.url=${hook}`];
  const venue = startKairos(['venue', '--port', '0', '--json', ...settings], { cwd });
  const { url } = JSON.parse((await venue.says(/^\{[\s\S]*^\}$/m))[0]);

  const ask = (...args: string[]) => kairosHere(['venue', ...args, '--url', url], { cwd });
  const made = await ask('deposit', '--user', '1205', '--currency', 'btc', '--amount', '0.5', '--json');
  expect([made.code, JSON.parse(made.stdout)]).toEqual([0, { transferId: expect.any(String), notificationId: 1 }]);
  await venue.says(/attempt 1 delivered/);
  expect(JSON.parse(told.join(''))).toMatchObject({ svcUserId: '1205', currency: 'BTC', amount: '0.5' });
  // Where it listens is said once, as for the venue itself.
  const beside = await kairosHere(['venue', 'notifications', '--set', `venue.port=${new URL(url).port}`], { cwd });
  expect(beside.stdout).toContain('DEPOSIT_CONFIRMED');
  const [listed, revoked, refused] = await Promise.all([
    ask('notifications'),
    ask('revoke'),
    ask('deposit', '--user', '99', '--currency', 'btc', '--amount', '0.5'),
  ]);
  expect(listed.stdout).toMatch(/1 .* 1205 +DEPOSIT_CONFIRMED +delivered +1 +200/);
  expect(revoked.stdout).toBe('0 sessions ended\n');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('userId: must be one of')]);
  venue.signal('SIGTERM');
  expect((await venue.ended).code).toBe(0);
  await new Promise((resolve) => partner.close(resolve));
  expect(await ask('notifications')).toMatchObject({ code: 1, stderr: expect.stringContaining('no paper venue answers') });
});
