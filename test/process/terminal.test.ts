import { afterEach, describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos } from '../support/process.ts';
import { startAtTerminal } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';

/** Orders all the time, each of which the daemon prints. */
const CONFIG = `strategies:
  - { id: coin, use: coin-flip, product: ethusd, amount: { base: 0.1 }, params: { everySeconds: 1 } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off, maxLossStreakOfAll: off }
venue: { quotesPerSecond: 10 }
`;

let folder: DaemonFolder;
const left: number[] = [];
afterEach(async () => {
  for (const pid of left.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  await endAll();
  folder.remove();
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
/** The daemon, which ends with its test at the latest. */
const holder = (): number => {
  const pid = folder.holder() ?? Number.NaN;
  left.push(pid);
  return pid;
};
const orders = (): number => folder.rows<{ count: number }>('SELECT count(*) AS count FROM orders')[0]?.count ?? 0;
const halts = () => folder.rows("SELECT * FROM decisions WHERE kind IN ('halted', 'reducing')");

test('a terminal that takes no output, as after Ctrl-S: the daemon trades on, shows it all with Ctrl-Q, and stops', {
  tags: 'util-linux',
}, async () => {
  folder = new DaemonFolder('terminal');
  folder.write('kairos.yaml', CONFIG);
  const terminal = startAtTerminal(['run'], { cwd: folder.path });
  await terminal.until('order', () => (orders() > 1 ? true : undefined));
  const pid = holder();
  terminal.type('\x13');
  process.kill(pid, 'SIGHUP');
  const before = orders();
  await terminal.until('orders that go on', () => (orders() > before + 3 ? true : undefined));
  terminal.type('\x11');
  await terminal.says(/SIGHUP/);
  terminal.type('\x13');
  process.kill(pid, 'SIGTERM');
  await waitFor(() => (isRunning(pid) ? undefined : true));
  expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
  expect(halts()).toEqual([]);
});

describe('a terminal that is closed', { tags: 'util-linux' }, () => {
  test.for([
    ['as an ssh session that breaks', ''],
    ['of a daemon under nohup, which hears of it by EIO alone', "trap '' HUP; exec "],
  ] as const)('%s: the daemon goes on trading, halts nothing, and SIGTERM stops it in good order', async ([, shell], { expect }) => {
    folder = new DaemonFolder('terminal');
    folder.write('kairos.yaml', CONFIG);
    const terminal = startAtTerminal(['run'], { cwd: folder.path, shell });
    await terminal.until('order', () => (orders() > 1 ? true : undefined));
    const pid = holder();
    await terminal.kill();
    const before = orders();
    await waitFor(() => (orders() > before + 3 ? true : undefined));
    expect(folder.holder()).toBe(pid);
    expect(halts()).toEqual([]);
    const status = await runKairos(['status'], { cwd: folder.path });
    expect(status.stdout).toContain(`running as process ${pid}`);
    process.kill(pid, 'SIGTERM');
    await waitFor(() => (isRunning(pid) ? undefined : true));
    expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
    expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
  });

  test('top draws and ends by q; commands that follow the journal end with the terminal, without a word', async () => {
    folder = new DaemonFolder('terminal');
    folder.write('kairos.yaml', CONFIG);
    const daemon = startAtTerminal(['run'], { cwd: folder.path });
    await daemon.until('order', () => (orders() > 1 ? true : undefined));
    const trading = holder();
    const token = folder.read('var/ops-token').toString().trim();
    await daemon.says(new RegExp(`page +http:\\S+/#token=${token}&who=\\S`));
    const top = startAtTerminal(['top'], { cwd: folder.path });
    await top.says(/PAPER {2}ACTIVE[\s\S]*coin +ethusd +RUNNING[\s\S]*accepted/);
    top.type('q');
    expect(await top.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/\[\?1049h[\s\S]*\[\?1049l\s*$/) });
    const tail = startAtTerminal(['journal', 'tail', '-f'], { cwd: folder.path, shell: `trap '' HUP; echo $$ > tail.pid; exec ` });
    await tail.says(/accepted/);
    const pid = Number(folder.read('tail.pid').toString());
    left.push(pid);
    await tail.kill();
    await waitFor(() => (isRunning(pid) ? undefined : true));
    expect(daemon.isRunning).toBe(true);
    // What gives the terminal would end before the daemon.
    process.kill(trading, 'SIGTERM');
    await daemon.ended;
  });
});
