import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { Alerts } from '#apps/daemon/threads/alerts.ts';
import { loadConfig } from '#config/load.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { alert } from './support.ts';

/** What the log of a daemon without channels says, turn by turn. */
async function logOf(turns: readonly ((alerts: Alerts) => void)[], set: readonly string[] = []) {
  const lines: string[] = [];
  const { settings } = loadConfig({ env: { KAIROS_PASSWORD: 'a-pass-word-of-mine' }, set, cwd: tmpdir() });
  const alerts = new Alerts({
    settings,
    mode: 'paper',
    timers: new VirtualTimers(),
    notice: (level, text) => lines.push(`${level}: ${text}`),
  });
  for (const turn of turns) {
    turn(alerts);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await alerts.close();
  return lines;
}

test('what a rule tells is told under its event; a skipped action only where the log calls it an error', async () => {
  const skipped = alert('missed', 'weekend: bot.flatten skipped', { onlyWithError: true });
  expect(
    await logOf([
      (alerts) => alerts.raise(alert('strategy', 'hold is disabled')),
      (alerts) => alerts.raise(skipped),
      (alerts) => {
        alerts.raise(skipped);
        alerts.notice('error', 'schedule weekend: skipped');
      },
    ]),
  ).toEqual([
    'warn: alert strategy: hold is disabled',
    'error: schedule weekend: skipped',
    'warn: alert missed: weekend: bot.flatten skipped',
  ]);
});

test('I15 no secret of the service gets into an alert', async () => {
  expect(await logOf([(alerts) => alerts.raise(alert('strategy', 'threw: a-pass-word-of-mine'))])).toEqual([
    'warn: alert strategy: threw: [set]',
  ]);
});
