import { afterAll, expect, test } from 'vitest';
import { drawnReadings, READINGS } from '#adapters/service-client/dialect/dialect.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { startKairos } from '../support/process.ts';

const cwd = new DaemonFolder('dialect-names');
afterAll(() => cwd.remove());

/** What a venue says when it listens; it is stopped then. */
async function venueOnce(...args: readonly string[]): Promise<Record<string, unknown>> {
  const running = startKairos(['venue', ...args], { cwd: cwd.path });
  await running.says(/^\}$/m);
  running.signal('SIGTERM');
  const { stdout } = await running.ended;
  return JSON.parse(stdout);
}

const venue = (...args: readonly string[]) => kairosHere(['venue', ...args], { cwd: cwd.path });

test('help lists the readings; a wrong one is refused with the nearest, and so are two readings of one place', async () => {
  const [listed, json, wrong, twice] = await Promise.all([
    venue('--dialect', 'help'),
    venue('--dialect', 'help', '--json'),
    venue('--dialect', 'upper-currencys'),
    venue('--dialect', 'answer-200', '--dialect', 'answer-202'),
  ]);
  for (const name of READINGS) expect(listed.stdout).toMatch(new RegExp(`^${name}\\b`, 'm'));
  expect(JSON.parse(json.stdout)).toHaveLength(READINGS.length);
  expect([listed.code, wrong.code, twice.code]).toEqual([0, 2, 2]);
  expect(wrong.stderr).toMatch(/^kairos: --dialect: must be the name of a reading or seed:N, .*did you mean upper-currencies\?/);
  expect(twice.stderr).toMatch(/^kairos: --dialect: must read each place in one way: answer-200 and answer-202/);
});

test('a setting names it as well, and a seed draws it; the venue says which readings it has', async () => {
  const set = ['--set', 'venue.database=:memory:', '--port', '0', '--json'];
  const [drawn, set1] = await Promise.all([
    venueOnce(...set, '--dialect', 'seed:7'),
    venueOnce(...set, '--set', 'venue.dialect=[unpadded-secret]'),
  ]);
  expect(drawn.dialect).toEqual(drawnReadings('7'));
  expect(set1).toMatchObject({ dialect: ['unpadded-secret'], apiSecret: expect.not.stringContaining('=') });
});
