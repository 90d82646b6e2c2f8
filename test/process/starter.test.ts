import { afterEach, beforeEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, KAIROS, Started } from '../support/process.ts';
import { lookFor, waitFor } from '../support/wait-for.ts';

const CONFIG = `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.001 }, params: { everySeconds: 1 } }
venue: { quotesPerSecond: 10 }
`;

/** Makes a Node look too old for Kairos, which goes on with the one that its install brings. */
const OLD_NODE = `data:text/javascript,if (!process.env.KAIROS_REEXEC) Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`;

/** Starts a shell as npm does, under its name. */
const NPX = "process.title = 'npm exec kairos'; require('node:child_process').spawn('sh', ['-c', process.argv[1]], { stdio: 'inherit' });";

/** Starts a manager as `npx pm2` does: in a session of its own, as what the manager starts. */
const SPAWN = "require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit', detached: true })";
const MANAGER = `${SPAWN}.on('exit', () => process.exit())`;
const NPX_PM2 = `process.title = 'npm exec pm2'; process.argv.splice(1, 0, process.execPath, '-e', ${JSON.stringify(MANAGER)}); ${SPAWN}`;

let folder: DaemonFolder;
beforeEach(() => {
  folder = new DaemonFolder('starter');
  folder.write('kairos.yaml', CONFIG);
});
afterEach(async () => {
  const daemon = folder.holder();
  if (daemon !== null) process.kill(daemon, 'SIGKILL');
  await endAll();
  folder.remove();
});

/** A shell in between, as npx and npm have one. */
const inShell = (env: Readonly<Record<string, string>>) =>
  new Started('sh', ['-c', `"${process.execPath}" "${KAIROS}" run; exit $?`], { cwd: folder.path, env });

async function tradingUnder(starter: Started): Promise<number> {
  await starter.until('an accepted order', () => folder.accepted());
  const daemon = folder.holder();
  expect(daemon).not.toBe(starter.pid);
  return daemon ?? 0;
}

const decisions = (): number => folder.rows<{ n: number }>('SELECT count(*) AS n FROM decisions')[0]?.n ?? 0;
const goesOn = async (): Promise<boolean> => {
  const before = decisions();
  return (await lookFor(() => (decisions() > before + 5 ? true : undefined))) === true;
};
const hasStopped = () => waitFor(() => (folder.runs()[0]?.end_state && folder.holder() === null ? true : undefined));

test('kill of npx, or of an npm script, leaves nothing trading: the daemon stops in good order', async () => {
  const npx = inShell({ npm_command: 'exec' });
  await tradingUnder(npx);
  npx.signal('SIGTERM');
  expect(await hasStopped()).toBe(true);
  expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
  expect((await npx.ended).stdout).toContain('the process that started it is gone: stopping; no order goes out from now on');
});

test.runIf(process.platform === 'linux')('kill -9 of npx itself leaves nothing trading, though its shell goes on', async () => {
  const npx = new Started(process.execPath, ['-e', NPX, `"${process.execPath}" "${KAIROS}" run; exit $?`], {
    cwd: folder.path,
    env: { npm_command: 'exec' },
  });
  await tradingUnder(npx);
  npx.signal('SIGKILL');
  expect(await hasStopped()).toBe(true);
  expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
});

test.runIf(process.platform === 'linux')('what a manager starts goes on when the npx ends that started the manager', async () => {
  const npx = new Started(process.execPath, ['-e', NPX_PM2, process.execPath, KAIROS, 'run'], {
    cwd: folder.path,
    env: { npm_command: 'exec' },
  });
  await tradingUnder(npx);
  npx.signal('SIGKILL');
  expect(await goesOn()).toBe(true);
});

test('kill -9 of the older Node that started the right one leaves nothing trading', async () => {
  const outer = new Started(process.execPath, ['--import', OLD_NODE, KAIROS, 'run'], { cwd: folder.path });
  await tradingUnder(outer);
  outer.signal('SIGKILL');
  expect(await hasStopped()).toBe(true);
  expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
});

test('kill -USR1 of the older Node that started the right one halts, and opens no debugger', async () => {
  const outer = new Started(process.execPath, ['--import', OLD_NODE, KAIROS, 'run'], { cwd: folder.path });
  await tradingUnder(outer);
  outer.signal('SIGUSR1');
  await outer.says(/SIGUSR1|nspector|Debugger/);
  outer.signal('SIGTERM');
  expect((await outer.ended).stderr).not.toMatch(/nspector|Debugger/);
  expect(folder.rows("SELECT detail ->> 'who' AS who FROM decisions WHERE kind = 'halted'")).toEqual([{ who: 'SIGUSR1' }]);
});

test('the older Node that npx started takes the right one along', async () => {
  const npx = new Started('sh', ['-c', `"${process.execPath}" --import "$OLD_NODE" "${KAIROS}" run; exit $?`], {
    cwd: folder.path,
    env: { npm_command: 'exec', OLD_NODE },
  });
  await tradingUnder(npx);
  npx.signal('SIGKILL');
  expect(await hasStopped()).toBe(true);
  expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
});

test('any other shell may end, and a closed terminal takes npx along, while the daemon goes on', async () => {
  const shell = inShell({});
  await tradingUnder(shell);
  shell.signal('SIGKILL');
  expect(await goesOn()).toBe(true);
  process.kill(folder.holder() ?? Number.NaN, 'SIGTERM');
  expect(await hasStopped()).toBe(true);

  const npx = inShell({ npm_command: 'exec' });
  await npx.until('a second run', () => (folder.runs().length === 2 && folder.holder() !== null ? true : undefined));
  await npx.says(/Ctrl-C/);
  process.kill(folder.holder() ?? Number.NaN, 'SIGHUP');
  await npx.says(/SIGHUP/);
  npx.signal('SIGHUP');
  expect(await goesOn()).toBe(true);
});
