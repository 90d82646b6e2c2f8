import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A line that falls due so many minutes ago. */
function lineOf(name: string, minutesAgo: number, rest: string): string {
  const due = new Date(Date.now() - minutesAgo * MINUTE);
  return `  - { name: ${name}, cron: '${due.getUTCMinutes()} ${due.getUTCHours()} * * *', ${rest} }`;
}

const config = (): string => `strategies: []
recording: { enabled: false }
schedule:
${lineOf('pause', 40, 'action: remote.pauseAll, missed: run, missedWithin: 1h')}
${lineOf('too-late', 50, 'action: bot.halt, missed: run, missedWithin: 10m')}
${lineOf('told', 30, 'action: bot.pause')}
${lineOf('left', 25, 'action: bot.seal, missed: skip')}
${lineOf('flush', 20, 'action: remote.flush, strategyId: s-1, longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0, confirm: true')}
`;

interface ActionRow {
  readonly name: string;
  readonly status: string;
  readonly http_status: number | null;
  readonly late: number;
}

const folder = new DaemonFolder('schedule');

afterEach(endAll);
afterAll(() => folder.remove());

const actions = (): readonly ActionRow[] =>
  folder.rows<ActionRow>(
    `SELECT name, status, http_status, round((julianday(asked_at) - julianday(due_at)) * 1440) AS late FROM actions ORDER BY due_at`,
  );

/** Runs the daemon until `seen`, and stops it in good order. */
async function run(what: string, behindMs: number, seen: () => unknown): Promise<string> {
  const preload = `--import=${fileURLToPath(new URL('../support/earlier-clock.ts', import.meta.url))}`;
  const daemon = startKairos(['run'], { cwd: folder.path, env: { NODE_OPTIONS: preload, TEST_CLOCK_BEHIND_MS: String(behindMs) } });
  await daemon.until(what, seen);
  daemon.signal('SIGINT');
  const { code, stdout, stderr } = await daemon.ended;
  expect(code).toBe(0);
  return stdout + stderr;
}

const scheduled = (): number => folder.rows<{ n: number }>("SELECT count(*) AS n FROM decisions WHERE kind = 'scheduled'")[0]?.n ?? 0;

test('what fell due while the daemon was down is run once, told of or left out, and journaled; a third start does nothing more', async () => {
  // A try before this one has journaled already.
  rmSync(path.join(folder.path, 'var'), { recursive: true, force: true });
  folder.write('kairos.yaml', config());
  await run('start an hour ago', HOUR, () => (scheduled() === 1 ? true : undefined));
  expect(actions()).toEqual([]);

  const said = await run('answer of the service', 0, () => actions().find(({ name, status }) => name === 'pause' && status !== 'asked'));
  const done = actions();
  expect(done.map(({ name, status, http_status }) => ({ name, status, http_status }))).toEqual([
    { name: 'too-late', status: 'skipped', http_status: null },
    { name: 'pause', status: 'unverified', http_status: 202 },
    { name: 'told', status: 'skipped', http_status: null },
    { name: 'left', status: 'skipped', http_status: null },
    { name: 'flush', status: 'skipped', http_status: null },
  ]);
  for (const [index, minutes] of [50, 40, 30, 25, 20].entries()) {
    expect(done[index]?.late).toBeGreaterThanOrEqual(minutes);
    expect(done[index]?.late).toBeLessThan(minutes + 4);
  }
  expect(said).toMatch(/schedule pause: remote\.pauseAll missed, 4\d min(?: \d+ s)? late: done within missedWithin of 1h/);
  expect(said).toMatch(/schedule flush: remote\.flush skipped: .*never done late/);

  await run('third start', 0, () => (scheduled() === 3 ? true : undefined));
  expect(actions()).toEqual(done);
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true, actions: 5 });
});

test('schedule list, preview and run as a user types them', async () => {
  const kairos = (...args: string[]) => kairosHere(['schedule', ...args], { cwd: folder.path });
  const daemon = startKairos(['run', '--set', 'recording.enabled=true'], { cwd: folder.path });
  await daemon.until('start', () => (scheduled() === 4 ? true : undefined));
  expect(await kairos('run', 'pause', '--reason', 'to see')).toMatchObject({
    code: 0,
    stdout: 'pause: remote.pauseAll unverified: answered 202 what a pauseAll does cannot be read back\n',
  });
  expect(await kairos('run', 'told', '--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"status": "confirmed"') });
  expect(await kairos('run', 'flush')).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
  expect(await kairos('run', 'flush', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('failed: answered 404') });
  expect(await kairos('run', 'nightly')).toMatchObject({ code: 2, stderr: expect.stringContaining('it has pause, too-late, told') });
  expect(folder.rows("SELECT detail ->> 'why' AS why FROM decisions WHERE kind = 'action' AND reason = 'BY_PERSON' LIMIT 1")).toEqual([
    { why: 'to see' },
  ]);
  const lines: readonly { name: string; last: { status: string } | null }[] = JSON.parse((await kairos('list', '--json')).stdout);
  expect(lines.map(({ name, last }) => `${name} ${last?.status}`)).toEqual([
    'pause unverified',
    'too-late skipped',
    'told confirmed',
    'left skipped',
    'flush failed',
  ]);
  daemon.signal('SIGINT');
  await daemon.ended;
  expect(await kairosHere(['parity', 'last'], { cwd: folder.path })).toMatchObject({ code: 0 });
  expect(await kairos('run', 'told')).toMatchObject({ code: 1, stderr: expect.stringContaining('no daemon runs') });
  const preview = await kairos('preview', '--days', '2');
  expect(preview.stdout.split('\n').filter((line) => line.includes('remote.pauseAll'))).toHaveLength(2);
});

test('of two who run a line at once each learns of his own request: one that nobody knows what became of it, the other that it was skipped', async () => {
  const both = new DaemonFolder('schedule-both');
  onTestFinished(() => both.remove());
  both.write(
    'kairos.yaml',
    `strategies: []
recording: { enabled: false }
venue: { faults: ["slow-answers=100%"] }
schedule: [{ name: pause, cron: '0 0 1 1 *', action: remote.pauseAll, deadline: 3s }]
`,
  );
  const at = { cwd: both.path };
  const daemon = startKairos(['run'], at);
  await daemon.until('start', () => both.rows("SELECT 1 FROM decisions WHERE kind = 'scheduled'")[0]);
  const first = runKairos(['schedule', 'run', 'pause'], at);
  await daemon.until('the first request', () => both.rows('SELECT 1 FROM actions')[0]);
  expect(await kairosHere(['schedule', 'run', 'pause'], at)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'kairos: pause: remote.pauseAll skipped: the one before is not done yet\n',
  });
  // The venue answers after the deadline.
  expect(await first).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'kairos: pause: the outcome of remote.pauseAll is unknown (no answer within its deadline of 3 s): look with `kairos remote find`\n',
  });
  expect(JSON.parse((await kairosHere(['schedule', 'list', '--json'], at)).stdout)).toMatchObject([{ last: { status: 'unverified' } }]);
  expect(both.rows('SELECT status FROM actions ORDER BY rowid')).toEqual([{ status: 'unverified' }, { status: 'skipped' }]);
});
