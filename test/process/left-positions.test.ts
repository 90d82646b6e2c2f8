import { afterEach, beforeEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, startKairos } from '../support/process.ts';

let folder: DaemonFolder;

beforeEach(() => {
  folder = new DaemonFolder('left');
});

afterEach(async () => {
  await endAll();
  folder.remove();
});

const configOf = (id: string, product: string, base: number): string => `strategies:
  - { id: ${id}, use: buy-and-hold, product: ${product}, amount: { base: ${base} } }
venue: { quotesPerSecond: 20 }
log: { pretty: true }
`;

const LEFT =
  /gone holds 0\.01 of btcusd and is not configured any more(?: in \S+kairos\.yaml)?: no strategy and no exit watches that position/;
const MEND = /`kairos close gone` closes it while a daemon runs/;

test('what a strategy left that is configured no more is told at the start, by doctor and by status, and can be closed', async () => {
  const cwd = folder.path;
  folder.write('kairos.yaml', configOf('gone', 'btcusd', 0.01));
  const first = startKairos(['run'], { cwd });
  await first.says(/gone: buy .* accepted/);
  first.signal('SIGINT');
  const { stdout: said } = await first.ended;
  // The last words of a daemon that leaves a position.
  expect(said.trimEnd().split('\n').slice(-2).join('\n')).toMatch(
    /gone holds 0\.01 of btcusd; nobody watches it until the next start: no strategy decides on it, and no exit closes it.*\n.*stopped/,
  );
  folder.write('kairos.yaml', configOf('here', 'ethusd', 0.2));
  for (const words of [['status'], ['doctor']]) {
    const { stdout } = await kairosHere(words, { cwd });
    expect(stdout).toMatch(LEFT);
    expect(stdout).toMatch(MEND);
  }
  const second = startKairos(['run'], { cwd });
  await second.says(/here: buy .* accepted/);
  await second.says(LEFT);
  expect((await kairosHere(['close', 'gone'], { cwd })).stdout).toMatch(/done: gone btcusd: close; 0 is held/);
  const { stdout } = await kairosHere(['status'], { cwd });
  expect(stdout).not.toMatch(LEFT);
  // What each row says of the day adds up to the profit of the day, the trips of what is gone among it.
  const { strategies, today } = JSON.parse((await kairosHere(['status', '--json'], { cwd })).stdout);
  const rows: readonly { strategy: string; unrealised: number; today: number }[] = strategies;
  expect(rows.map(({ strategy }) => strategy)).toEqual(['here', 'gone']);
  const sum = rows.reduce((all, row) => all + row.unrealised + row.today, 0);
  expect(Math.abs(sum - today.profit)).toBeLessThan(0.02);
  expect(rows[0]?.unrealised).not.toBe(0);

  await kairosHere(['halt', '--reason', 'to see'], { cwd });
  second.signal('SIGINT');
  expect((await second.ended).stdout.split(LEFT)[0]).not.toMatch(/here holds/);
  const third = startKairos(['run'], { cwd });
  await third.says(/started HALTED/);
  await third.says(/trading is HALTED, by/);
  await third.says(/positions +from before: here holds 0\.2 ethusd, bought at [\d.]+\n/);
  third.signal('SIGINT');
  expect((await third.ended).stdout).not.toContain('no order goes out until a person resumes');
});
