import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, KAIROS, Started, startKairos } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

const CONFIG = `strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
`;

const folders: DaemonFolder[] = [];
afterEach(async () => {
  await endAll();
  for (const folder of folders.splice(0)) folder.remove();
});

function folderOf(name: string): DaemonFolder {
  const folder = new DaemonFolder(name);
  folders.push(folder);
  return folder;
}

async function running(cwd: string, ...args: string[]): Promise<Started> {
  const daemon = startKairos(['run', ...args], { cwd });
  await daemon.says(/ look /);
  return daemon;
}

test('a HALT of the folder is a FIFO: it holds nobody up, halts each daemon, and stands for the other when one is resumed', async () => {
  const { path: cwd } = folderOf('halt-of-all');
  const kairos = (...args: string[]) => kairosHere(args, { cwd });
  const of = (name: string) => [
    '--config',
    folders[0]?.write(`${name}.yaml`, `journal: { path: var/${name}.db }\nvenue: { database: var/${name}-venue.db }\n${CONFIG}`) ?? '',
  ];
  const [one, other] = [of('one'), of('other')];
  mkdirSync(path.join(cwd, 'var'));
  // A journal that lies elsewhere, and is not there yet, is the same one by either name.
  symlinkSync('../disk/other.db', path.join(cwd, 'var/other.db'));
  execFileSync('mkfifo', [path.join(cwd, 'var/HALT')]);

  const first = await running(cwd, ...one);
  await first.says(/trading is HALTED/);
  expect(await kairos('resume', ...one)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ended: halted, set by file [\s\S]*var\/HALT stays and halts the other daemons/),
  });
  expect((await kairos('status', ...one)).stdout).toMatch(/^trading +on$/m);

  const second = await running(cwd, ...other);
  await second.says(/trading is HALTED/);
  expect((await kairos('status', ...other)).stdout).toMatch(/^trading +HALTED/m);
  expect(await kairos('run', ...other)).toMatchObject({ code: 5, stderr: expect.stringContaining('is held by process') });
  expect(await kairos('halt', ...one)).toMatchObject({ code: 0, stdout: expect.stringMatching(/the last gate was found shut/) });
});

test('a halt that reaches no daemon says so first and fails, and names the daemons that run elsewhere; its command halts them', async () => {
  const there = folderOf("halt it's there");
  const here = folderOf('halt-here');
  const daemon = await running(there.path);
  const { code, stdout, stderr } = await kairosHere(['halt'], { cwd: here.path });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^kairos: no daemon was reached: none runs on \S+var\/kairos\.db, and only its next start is halted; /);
  const named = new RegExp(`process ${daemon.pid} runs on [^\`]+: \`\\S+ ([^\`]+)\``).exec(stderr)?.[1];
  // Of many daemons, those of other tests among them, five are named.
  if (named === undefined) expect(stderr).toMatch(/; \d+ more run$/m);
  const words =
    named === undefined
      ? ['halt', '--set', `journal.path=${there.journal}`]
      : execFileSync('sh', ['-c', `printf '%s\\n' ${named}`], { encoding: 'utf8' })
          .trim()
          .split('\n');
  expect(await kairosHere(words, { cwd: here.path })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/the last gate was found shut/),
  });
  expect((await kairosHere(['status'], { cwd: there.path })).stdout).toMatch(/^trading +HALTED/m);
  expect((await kairosHere(['resume'], { cwd: here.path })).stdout).toMatch(/^ended: halted/);
});

test('a daemon that was started here is halted though journal.path was edited since, or its settings take long to read', async () => {
  const folder = folderOf('halt-edited');
  const kairos = (...args: string[]) => kairosHere(args, { cwd: folder.path });
  folder.write('kairos.yaml', CONFIG);
  const daemon = await running(folder.path);
  folder.write('kairos.yaml', `journal: { path: var/new.db }\n${CONFIG}`);
  expect(await kairos('halt', '--reason', 'as it runs')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^halted: [^]*in process ${daemon.pid}, which has journaled it`)),
    stderr: expect.stringMatching(
      /runs on \S+kairos\.db, unlike journal\.path: `\S+ resume --set journal\.path=\S+kairos\.db` ends its halt/,
    ),
  });
  await daemon.says(/as it runs/);

  expect(await kairos('resume', '--set', `journal.path=${folder.journal}`)).toMatchObject({ code: 0 });
  const anchors = Array.from({ length: 5_000 }, (_, n) => `a${n}: &a${n} [*a${Math.max(0, n - 1)}]`).join('\n');
  folder.write('kairos.yaml', `a0: &a0 []\n${anchors}\n`);
  const command = startKairos(['halt', '--reason', 'before it is read'], { cwd: folder.path });
  await daemon.says(/before it is read/);
  await command.kill();
});

test('a reason of any form halts, and so does a command line with a typing error', async () => {
  const folder = folderOf('halt-words');
  const kairos = (...args: string[]) => kairosHere(args, { cwd: folder.path });
  const daemon = await running(folder.path);
  folder.write('kairos.yaml', CONFIG);
  const forms: readonly (readonly [words: readonly string[], why: string, leftOut: string])[] = [
    [['halt', '--reason', `two\n${'x'.repeat(250)}`], `two ${'x'.repeat(196)}`, ''],
    [['halt', 'prices', 'look', 'wrong', '--reason'], 'prices look wrong', ''],
    [['halt', '--reson', 'news'], '--reson news', '--reson'],
    [['halt', '--set'], 'no reason given', '--set'],
    [['halt', '--config', '--reason', 'x', '--set'], 'x', '--config --set'],
    [['--config', 'kairos.yaml', 'halt'], 'no reason given', ''],
  ];
  for (const [words, why, leftOut] of forms) {
    expect(await kairos(...words)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/the last gate was found shut/),
      stderr: leftOut === '' ? '' : `kairos: the halt left out what is unknown or has no value: ${leftOut}\n`,
    });
    expect(daemon.isRunning).toBe(true);
    expect((await kairos('resume')).stdout).toContain(`ended: halted, set by ${userInfo().username} (${why})`);
  }
});

test('a halt of a fleet halts each daemon that is known, names the others, and fails (F75)', async () => {
  const [moved, edited, idle] = [folderOf('fleet-moved'), folderOf('fleet-edited'), folderOf('fleet-idle')];
  moved.write('kairos.yaml', `journal: { path: books/x.db }\n${CONFIG}`);
  edited.write('kairos.yaml', CONFIG);
  const daemons = [await running(moved.path), await running(edited.path)];
  edited.write('kairos.yaml', `journal: { path: var/new.db }\n${CONFIG}`);
  idle.write('fleet.yaml', `daemons:\n  - { at: ${moved.path}, name: moved, nam: x }\n  - { at: 5 }\n  - { at: nowhere }\n`);
  const fleet = (...words: string[]) => kairosHere(['fleet', ...words], { cwd: idle.path });
  const resumed = () =>
    Promise.all([
      kairosHere(['resume'], { cwd: moved.path }),
      kairosHere(['resume', '--set', `journal.path=${edited.journal}`], { cwd: edited.path }),
    ]);

  const { code, stdout } = await fleet(edited.path, '.', '--list', 'fleet.yaml', '--halt');
  expect(code).toBe(1);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/edited\S*: halted \S+var\/kairos\.db$/),
    expect.stringMatching(/idle\S*: no daemon was reached: none runs on \S+idle\S+kairos\.db, and only its next start is halted$/),
    'moved: halted',
    expect.stringMatching(/^fleet\.yaml:2: daemons\[0\]\.nam: unknown setting/),
    expect.stringMatching(/^fleet\.yaml:3: daemons\[1\]\.at: must be/),
    expect.stringMatching(/^nowhere is neither an address/),
    '',
  ]);
  for (const { stdout: said } of await resumed()) expect(said).toMatch(/^ended: halted, set by \S+ \(no reason given\)/);

  // Where a reason may stand, a daemon is one all the same.
  expect(await fleet('--halt', edited.path, moved.path)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\S+: halted \S+kairos\.db\n\S+: halted\n$/),
  });
  for (const { stdout: said } of await resumed()) expect(said).toMatch(/^ended: halted/);

  // What is mistyped is told once all that is known is halted; where none is, that is the daemon of the folder.
  expect(await fleet(edited.path, '--port', 'x', moved.path, '--list', 'nofile.yaml', '--halt')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^\S+: halted \S+kairos\.db\n\S+: halted\nnofile\.yaml: [^\n]+\n--port "x": [^\n]+\n$/),
  });
  for (const { stdout: said } of await resumed()) expect(said).toMatch(/^ended: halted/);
  expect(await kairosHere(['fleet', '--port', '--list', '--halt'], { cwd: moved.path })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^\S+: halted\n\S+: is a directory, not a file\n--port "": [^\n]+\n$/),
  });
  // Neither a reason alone nor a place that is none names a daemon.
  expect(await kairosHere(['fleet', '--halt', 'looks wrong'], { cwd: moved.path })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^\S+: halted\nno daemon is named: [^\n]+\n$/),
  });
  expect(daemons.every(({ isRunning }) => isRunning)).toBe(true);
  expect(JSON.parse((await fleet(moved.path, '--json')).stdout).daemons[0]).toMatchObject({ reach: 'answers' });
});

test('a halt of one of a fleet halts the daemon of its folder that is shown, and not another that was started there; what else it halts it says', async () => {
  const folder = folderOf('fleet-two');
  folder.write('kairos.yaml', CONFIG);
  const second = path.join(folder.path, 'var/second.db');
  const one = await running(folder.path);
  const other = startKairos(['run'], { cwd: folder.path, env: { KAIROS_JOURNAL_PATH: second, KAIROS_VENUE_DATABASE: `${second}.venue` } });
  await other.says(/ look /);
  const halt = () => kairosHere(['fleet', folder.path, '--halt', 'looks wrong'], { cwd: folder.path });
  expect(await halt()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+: halted\n$/) });
  await one.says(/looks wrong/);
  expect((await kairosHere(['status', '--set', `journal.path=${second}`], { cwd: folder.path })).stdout).toMatch(/^trading +on$/m);
  // Which is meant is not known of settings that name neither.
  folder.write('kairos.yaml', `journal: { path: var/new.db }\n${CONFIG}`);
  expect(await halt()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^\S+: halted (?=\S+var\/kairos\.db|.*, \S+var\/kairos\.db)(?=\S+var\/second\.db|.*, \S+var\/second\.db).+\n$/,
    ),
  });
  await other.says(/looks wrong/);
});

test('a halt while another process holds the journal, and longer than it waits, stops at once; its row follows, and the daemon lives', async () => {
  const folder = folderOf('halt-held');
  const kairos = (...args: string[]) => kairosHere(args, { cwd: folder.path });
  const daemon = await running(folder.path);
  const by = userInfo().username;
  const halts = () =>
    folder.rows<{ who: string; why: string }>("SELECT detail ->> 'who' who, detail ->> 'why' why FROM decisions WHERE kind = 'halted'");
  const other = new Database(folder.journal);
  other.exec('BEGIN IMMEDIATE');
  expect(await kairos('halt', '--reason', 'news')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/the last gate was found shut/),
  });
  expect((await kairos('why-not')).stdout).toMatch(/HALTED/);
  expect((await kairos('status')).stdout).toMatch(/^journal .*HELD by another program/m);
  expect(halts()).toEqual([]);
  other.close();
  await waitFor(() => halts().find(({ who, why }) => who === by && why === 'news'));
  expect(daemon.isRunning).toBe(true);
  expect((await kairos('resume')).stdout).toContain(`ended: halted, set by ${by} (news`);
});

test('a container runs it under a number that has no name: it halts, and says who by the number', async () => {
  const folder = folderOf('nameless');
  const nameless = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
os.userInfo = () => { throw new Error('uv_os_get_passwd returned ENOENT'); }; syncBuiltinESMExports();`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(nameless)}`, KAIROS, 'halt'];
  const { stderr } = await new Started(process.execPath, args, { cwd: folder.path }).end();
  expect(stderr).toContain('only its next start is halted');
  expect(folder.read('var/kairos.db.halt').toString()).toContain(`uid ${process.getuid?.()}`);
});
