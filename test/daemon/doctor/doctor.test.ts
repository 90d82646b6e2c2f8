import { once } from 'node:events';
import { chmodSync, copyFileSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { controlFiles, writeHalt } from '#adapters/journal/control-files.ts';
import { rotateAtRest } from '#adapters/journal/rotate.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { bookOf } from '#assembly/assemble.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { startVenueThread } from '#assembly/venue-thread.ts';
import { loadConfig } from '#config/load.ts';
import { examine } from '#daemon/doctor/doctor.ts';
import type { Finding } from '#daemon/doctor/finding.ts';
import type { Machine } from '#daemon/doctor/machine.ts';
import { portFindings } from '#daemon/doctor/machine.ts';
import { runId, strategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import { accepted, begin, begun, openJournal, orderFacts, permits, sent } from '../../adapters/journal/rows.ts';
import { newFolder } from '../../support/folder.ts';

const HEALTHY: Machine = {
  env: {},
  nodeVersion: '24.1.0',
  sqliteVersion: '3.54.1',
  openFiles: 10_000,
  freeBytes: () => 2 ** 40,
  credentials: () => null,
};

/** A minute of waiting for a service passes in three seconds: what is left out of a wait is added to the clock, which else keeps to the wall's pace. */
const QUICK = 20;
let leftOutMs = 0;
const timers = {
  ...systemTimers,
  monotonicMs: () => systemTimers.monotonicMs() + leftOutMs,
  after: (ms: number, run: () => void) =>
    systemTimers.after(ms / QUICK, () => {
      leftOutMs += ms - ms / QUICK;
      run();
    }),
};

let folder: string;
let venue: { readonly url: string; close(): Promise<void> };
const undo: (() => unknown)[] = [];

beforeAll(async () => {
  const { settings } = loadConfig({ env: {}, cwd: tmpdir(), files: [], set: ['venue.database=":memory:"'] });
  venue = await startVenueThread(settings.venue);
});
afterAll(() => venue.close());
beforeEach(() => {
  folder = newFolder();
});
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const journalPath = (): string => path.join(folder, 'var/kairos.db');

interface Patient {
  readonly machine?: Partial<Machine>;
  readonly set?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly probe?: boolean;
  readonly isVenue?: boolean;
  readonly strategies?: string;
}

async function look({
  machine = {},
  set = [],
  env = {},
  probe = false,
  isVenue = true,
  strategies = BUY,
}: Patient = {}): Promise<readonly Finding[]> {
  writeFileSync(path.join(folder, 'kairos.yaml'), `service: { baseUrl: '${venue.url}' }\nstrategies: ${strategies}\n`);
  return examine({
    load: { env, cwd: folder, set, isVenue },
    probe,
    folders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
    timers,
    machine: { ...HEALTHY, ...machine },
  });
}

const BUY = '[{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]';
const bad = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ verdict }) => verdict !== 'ok').map(({ check, verdict, what, mend }) => `${verdict} ${check}: ${what} | ${mend}`);

/** A journal with one run, to which rows are added. */
function journal(add: (log: SqliteJournal) => void = () => {}, configJson = '{}'): void {
  const written = SqliteJournal.open({ path: journalPath(), book: 'paper', beforeCommit: () => {} });
  written.beginRun({ run: runId('r'), at: 0, mode: 'paper', version: 'test', configHash: 'h', configJson });
  const about = { at: 1, inboxSeq: 1, strategy: null, product: null, reason: null, quoteId: null, orderId: null };
  written.commit([{ ...about, kind: 'started', detail: { config: 'h', strategies: [] } }]);
  add(written);
  written.end(runId('r'), 'stopped');
  written.close();
}

const latch =
  (kind: 'halted' | 'reducing' | 'paused' | 'disabled' | 'disarmed', reason: Reason = 'BY_PERSON') =>
  (log: SqliteJournal) =>
    log.commit([
      {
        kind,
        at: 2,
        inboxSeq: 2,
        strategy: kind === 'disabled' ? strategyId('b') : null,
        product: null,
        reason,
        quoteId: null,
        orderId: null,
        detail: { who: 'ann', why: 'to see' },
      },
    ]);

test('a healthy set-up has nothing to mend, before its first start and after, and a probe order is refused for its quote alone', async () => {
  expect(bad(await look())).toEqual([]);
  journal();
  const findings = await look({ probe: true });
  expect(bad(findings)).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([
    'node',
    'sqlite',
    'tls',
    'open files',
    'configuration',
    'strategies',
    'journal folder',
    'journal',
    'state',
    'journal size',
    'recording folder',
    'port',
    'service',
    'products',
    'clock',
    'probe',
  ]);
  expect(findings.at(-1)?.what).toContain('refused with 422');
});

test('F52 archives that are missing, as where a backup was put back alone, are a warning', async () => {
  const journal = begun(journalPath());
  const order = orderFacts(1);
  journal.commit([...permits(order), sent(order), accepted(order)]);
  journal.close();
  const { archive } = await rotateAtRest(journalPath(), Date.UTC(2026, 10, 22));
  rmSync(archive);
  expect(bad(await look())).toContainEqual(
    expect.stringMatching(/^warn journal: archives are missing: kairos\.db\.archive-\d+ \| put them back/),
  );
});

test.each<[string, (archives: readonly string[]) => void, RegExp]>([
  [
    'whose first 8 kB are gone',
    ([archive = '']) => writeFileSync(archive, readFileSync(archive).fill(0, 0, 8192)),
    /^warn journal: archive kairos\.db\.archive-\d+ cannot be used: file is not a database \| put back a copy of it.*trading goes on without it$/,
  ],
  [
    'that is another one under its name',
    ([archive = '', other = '']) => copyFileSync(other, archive),
    /^warn journal: archive kairos\.db\.archive-\d+ cannot be used: it ends with another row \| put back a copy of it/,
  ],
])('F51 an archive %s is a warning, and the others are not', async (_, spoil, told) => {
  const archives: string[] = [];
  for (const n of [1, 2]) {
    const journal = openJournal(journalPath());
    begin(journal, runId(`r${n}`));
    const order = orderFacts(n);
    journal.commit([...permits(order), sent(order), accepted(order)]);
    journal.end(runId(`r${n}`), 'stopped');
    journal.close();
    const { archive } = await rotateAtRest(journalPath(), Date.UTC(2026, 10, 22));
    chmodSync(archive, 0o600);
    archives.push(archive);
  }
  const ofArchives = async () => bad(await look()).filter((line) => line.includes('archive'));
  expect(await ofArchives()).toEqual([]);
  spoil(archives);
  expect(await ofArchives()).toEqual([expect.stringMatching(told)]);
});

test('a position that nobody watches since the daemon was killed is told, with what brings its exits back', async () => {
  const killed = begun(journalPath());
  const order = orderFacts(1);
  killed.commit([...permits(order), sent(order), accepted(order)]);
  killed.close();
  const held = /^warn positions: no daemon runs, so that no exit goes out: sma holds 0\.01 in btcusd \| start it again/;
  expect(bad(await look())).toContainEqual(expect.stringMatching(held));
});

test.each<[string, Patient, RegExp]>([
  ['old Node', { machine: { nodeVersion: '18.20.0' } }, /^fail node: Node 18.20.0 \| install Node 20/],
  ['old SQLite', { machine: { sqliteVersion: '3.50.0' } }, /^fail sqlite: .*3\.51\.3/],
  ['B36 TLS switched off', { machine: { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } } }, /^fail tls: .*\| unset/],
  ['a foreign certificate', { machine: { env: { NODE_EXTRA_CA_CERTS: '/x.pem' } } }, /^warn tls: .*\/x.pem/],
  ['F63 too few files', { machine: { openFiles: 100 } }, /^fail open files: 100 allowed.*ulimit -n/],
  ['F46 a full disk', { machine: { freeBytes: () => 1e6 } }, /^fail journal folder: .*0 MB free/],
  ['a small disk, on which it trades', { machine: { freeBytes: () => 6e7 } }, /^warn journal folder: .*57 MB free/],
  ['a disk that is nearly full', { machine: { freeBytes: () => 5e8 } }, /^warn journal folder: .*476 MB/],
  ['B18 a misspelt setting', { set: ['lanes.reserv=3'] }, /^fail configuration: .*lanes.reserve/],
  [
    'a variable that nothing reads',
    { env: { KAIROS_ALERTS_PHONE: '1' } },
    /^warn configuration: env KAIROS_ALERTS_PHONE: nothing reads .*\| .*unless it is meant$/,
  ],
  ['B40 an unknown strategy', { strategies: BUY.replace('buy-and-hold', 'buy-and-hol') }, /^fail strategies: .*buy-and-hold/],
  ['an unknown product', { strategies: BUY.replace('btcusd', 'nosuch') }, /^fail products: .*quotes no product nosuch/],
  ['B06 an amount below the least', { strategies: BUY.replace('0.01', '0.00001') }, /^fail products: .*minSize/],
  ['no strategy', { strategies: '[]' }, /^warn products: no strategy/],
  ['no service', { set: ['service.baseUrl=http://127.0.0.1:1'] }, /^fail service: .*no answer/],
  ['a wrong key', { probe: true, env: { KAIROS_API_KEY: 'wrong' } }, /^fail probe: 401.*KAIROS_API_KEY/],
  ['a wrong secret', { probe: true, env: { KAIROS_API_SECRET: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' } }, /^fail probe: 401/],
  ['a user of somebody else', { probe: true, set: ['service.userId=2001'] }, /^fail probe: 403.*KAIROS_USER_ID/],
  [
    'a password that is wrong, where the daemon may have to ask by itself',
    { probe: true, set: ['halt.escalate=pauseAll'], env: { KAIROS_PASSWORD: 'wrong' } },
    /^fail sign-in: .*401.*\| check KAIROS_TOKEN, or KAIROS_USERNAME/,
  ],
  ['an unknown user', { probe: true, set: ['service.userId=7'] }, /^fail probe: 400.*KAIROS_USER_ID/],
  [
    'a brand that is not the service’s',
    { probe: true, set: ['service.brand=acme'] },
    /^fail probe: 404.*service\.brand.*service\.paths\.orders/,
  ],
])('%s is found, with how to mend it', async (_what, patient, finding) => {
  const found = bad(await look(patient));
  expect(found).toContainEqual(expect.stringMatching(finding));
});

describe('the journal', () => {
  test.each<[string, () => void, RegExp]>([
    [
      'F50 rows below the mark are gone',
      () => edit('DELETE FROM decisions WHERE seq = (SELECT max(seq) FROM decisions)'),
      /rows are missing/,
    ],
    ['F50 a journal that is gone under its mark', () => rmSync(journalPath()), /is not there, and its mark .*\| put the journal back/],
    ['F51 a changed row', () => edit(`UPDATE decisions SET detail = '{}'`), /decisions row 1/],
    ['F54 a newer schema', () => edit('PRAGMA user_version = 999'), /use the newer Kairos/],
    ['a cut file', () => truncateSync(journalPath(), 5000), /kairos\.db/],
    ['another book', () => edit("UPDATE runs SET book = 'live https://x 1'"), /belongs to the book "live https:\/\/x 1"/],
  ])('%s is found', async (_what, damage, what) => {
    journal();
    damage();
    expect(bad(await look())).toContainEqual(expect.stringMatching(new RegExp(`^fail journal: .*${what.source}`)));
  });

  test('its holder is named and is no fault; F66 a file that was changed since it was read is', async () => {
    await look();
    journal(() => {}, loadConfig({ env: {}, cwd: folder, set: [], isVenue: true }).json);
    const held = SqliteJournal.open({ path: journalPath(), book: 'paper', beforeCommit: () => {} });
    undo.push(() => held.close());
    const findings = await look();
    expect(bad(findings)).toEqual([]);
    expect(findings.find(({ check }) => check === 'journal')?.what).toContain(`held by process ${process.pid}`);
    const changed = { set: ['risk.maxOrdersPerMinute=77'] };
    expect(bad(await look(changed))).toEqual([
      expect.stringMatching(
        /^warn configuration: the daemon runs with other settings: risk.maxOrdersPerMinute: \d+ there, 77 here \| start/,
      ),
    ]);
    held.close();
    expect(bad(await look(changed))).toEqual([]);
  });

  test('the port of a daemon of another user is no fault', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    undo.push(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { settings } = loadConfig({ env: {}, cwd: folder, set: [`ops.port=${port}`], isVenue: true });
    expect(bad(await portFindings(settings, null))).toEqual([expect.stringMatching(/^fail port: .*cannot be had/)]);
    expect(await portFindings(settings, { pid: null })).toMatchObject([{ verdict: 'ok', what: `${port}: a daemon of another user runs` }]);
  });

  test('secrets that the daemon alone was given: what needs them is not checked, and the command that has them is named', async () => {
    const secrets = { KAIROS_API_KEY: '22222222-2222-4222-8222-222222222222', KAIROS_API_SECRET: Buffer.alloc(32, 7).toString('base64') };
    const env = {
      ...secrets,
      KAIROS_SIGNALS_SECRET: 'a-secret-of-this-test',
      KAIROS_ALERTS_SLACK_URL: 'https://hooks.slack.invalid/services/x',
    };
    const set = [
      'mode=live',
      'service.userId=1205',
      'signals.port=0',
      'signals.sources=[{name: model}]',
      'service.capabilities=[balances]',
    ];
    await look();
    journal(() => {}, loadConfig({ env, cwd: folder, set }).json);
    edit(`UPDATE runs SET book = '${bookOf(loadConfig({ env, cwd: folder, set }))}'`);
    const typed = async (credentials: string | null) =>
      bad(await look({ set, probe: true, isVenue: false, machine: { credentials: () => credentials } }));
    const lacking =
      'warn secrets: the last run had alerts.slack.url, service.apiKey, service.apiSecret, signals.secret, this command has not';
    const [secret, ...others] = await typed(null);
    expect(secret).toBe(`${lacking}: what needs them is not checked | give this command the secrets that the daemon has`);
    expect(others.filter((line) => /alerts|signals|probe|balances/.test(line))).toEqual([]);
    const command = `sudo systemd-run --pty -p User=\\S+ -p WorkingDirectory=${folder} -p LoadCredential=kairos:/etc/kairos/b \\S+kairos.mjs doctor --probe`;
    expect((await typed('/etc/kairos/b'))[0]).toMatch(new RegExp(command));
  });

  test.each<[Reason, RegExp]>([
    [
      'SECOND_UNAUTHORIZED',
      /refuses key, time or signature: check KAIROS_API_KEY.*doctor --probe`; then `kairos resume`, or `kairos flatten`/,
    ],
    ['HTTP_FORBIDDEN', /refuses this user: check KAIROS_API_KEY.*; then `kairos resume`/],
  ])('a halt by %s is told with what to check before trading goes on', async (reason, finding) => {
    journal(latch('halted', reason));
    expect(bad(await look())).toEqual([expect.stringMatching(finding)]);
  });

  test.each<[Parameters<typeof latch>[0], RegExp]>([
    ['halted', /^fail state: halted by ann: to see \| `kairos resume`/],
    ['disarmed', /^fail state: disarmed .*kairos arm/],
    ['reducing', /^warn state: reducing /],
    ['paused', /^warn state: paused /],
    ['disabled', /^warn state: disabled \(b\) by ann.*kairos enable/],
  ])('%s is told, with how to leave it', async (kind, finding) => {
    journal(latch(kind));
    expect(bad(await look())).toEqual([expect.stringMatching(finding)]);
  });

  test('F75 a halt by file is told', async () => {
    journal();
    writeHalt(controlFiles(journalPath()).halt, { who: 'ann', why: 'by hand' }, 0);
    expect(bad(await look())).toEqual([expect.stringMatching(/^fail state: halted by a file: ann: by hand/)]);
  });

  test('B38 a token that others can read, and a link in its place', async () => {
    journal();
    const { token } = controlFiles(journalPath());
    writeFileSync(token, 'a-token-that-nobody-guesses\n', { mode: 0o600 });
    expect(bad(await look())).toEqual([]);
    chmodSync(token, 0o644);
    expect(bad(await look())).toEqual([expect.stringMatching(/^fail secret files: .*can be read by others.*chmod 600/)]);
    rmSync(token);
    symlinkSync('/dev/null', token);
    expect(bad(await look())).toEqual([expect.stringMatching(/^fail secret files: /)]);
  });
});

test('B38 a file of a secret that others can read', async () => {
  const file = path.join(folder, 'secret');
  writeFileSync(file, 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n');
  chmodSync(file, 0o644);
  expect(bad(await look({ env: { KAIROS_API_SECRET_FILE: file } }))).toEqual([
    expect.stringMatching(/^fail configuration: .*secret.*(0600|others)/),
  ]);
});

test('a folder for backups that is a file', async () => {
  writeFileSync(path.join(folder, 'backups'), '');
  expect(bad(await look({ set: ['journal.backup.dir=backups/daily'] }))).toEqual([
    expect.stringMatching(/^fail backup folder: .*backups is not a folder \| move .*backups away/),
  ]);
});

test('live, a configuration that no person need arm is warned of, and one that tells nobody of trouble', async () => {
  const warned = async (arm: string, channel: Readonly<Record<string, string>> = {}) => {
    const secret = Buffer.alloc(32, 7).toString('base64');
    const key = '22222222-2222-4222-8222-222222222222';
    const env = { KAIROS_USER_ID: '1205', KAIROS_API_KEY: key, KAIROS_API_SECRET: secret, ...channel };
    const files = [path.join(import.meta.dirname, '../../../config/live.example.yaml')];
    const set = ['service.baseUrl=https://service.invalid', `trading.arm=${arm}`];
    const load = { env, cwd: folder, files, set, live: true };
    const findings = await examine({
      load,
      probe: false,
      folders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
      timers,
      machine: HEALTHY,
    });
    expect(findings.find(({ check }) => check === 'configuration')?.what).toMatch(/; live$/);
    return findings.filter(({ verdict }) => verdict === 'warn').map(({ check }) => check);
  };
  expect(await warned('auto')).toEqual(expect.arrayContaining(['arming', 'alerts']));
  const told = await warned('manual', { KAIROS_ALERTS_SLACK_URL: 'https://hooks.slack.invalid/services/x' });
  expect(told).not.toContain('arming');
  expect(told).not.toContain('alerts');
});

test.each(['port', 'webhooks port', 'signals port'])('B37 a %s that is taken', async (check) => {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const set = {
    port: [`ops.port=${port}`],
    'webhooks port': ['webhooks.enabled=true', `webhooks.port=${port}`],
    'signals port': ['signals.sources=[{name: model}]', `signals.port=${port}`],
  }[check];
  const env = { KAIROS_SIGNALS_SECRET: 'a-secret-of-this-test' };
  expect(bad(await look({ env, ...(set && { set }) }))).toEqual([
    expect.stringMatching(new RegExp(`^fail ${check}: .*cannot be had.*set another`)),
  ]);
});

test('sources from outside: their secret, a strategy that names another, and the proxy that must end TLS', async () => {
  const env = { KAIROS_SIGNALS_SECRET: 'a-secret-of-this-test' };
  const told = async (set: readonly string[]) =>
    (await look({ env, set: ['signals.port=0', ...set] }))
      .filter(({ check }) => check === 'signals')
      .map(({ verdict, what }) => [verdict, what]);
  expect(await told([])).toEqual([]);
  expect(await told(['signals.sources=[{name: model}]'])).toEqual([['ok', 'model: the secret of their tokens is set']]);
  expect(await told(['signals.sources=[{name: model}]', 'signals.host=0.0.0.0'])).toEqual([['warn', '0.0.0.0 is not this machine alone']]);
  expect(bad(await look({ set: ['signals.port=0', 'signals.sources=[{name: model}]'] }))).toEqual([
    expect.stringMatching(/^fail signals: model: have no secret.*set KAIROS_SIGNALS_SECRET/),
  ]);
});

test('F58 a service whose answers carry no date: after ten, NTP is proposed', async () => {
  const server = createServer(async ({ url = '', headers }, response) => {
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const method = url.includes('login') ? 'POST' : 'GET';
    const login = JSON.stringify({ username: 'paper@example.com', password: 'paper' });
    const answer = await fetch(`${venue.url}${url}`, {
      method,
      headers: { authorization, 'content-type': type },
      ...(method === 'POST' && { body: login }),
    });
    response.sendDate = false;
    const token = answer.headers.get('authorization');
    if (token !== null) response.setHeader('authorization', token);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const set = [`service.baseUrl=http://127.0.0.1:${port}`, 'clock.source=date'];
  expect(bad(await look({ set, strategies: '[]' }))).toContainEqual(
    expect.stringMatching(/^fail clock: .*10 times \| .*clock.source: system/),
  );
});

test('F55 a service on this machine whose clock is another is told, from the dates of its answers', async () => {
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${venue.url}${request.url}`);
    response.setHeader('date', new Date(Date.now() + 120_000).toUTCString());
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const set = [`service.baseUrl=http://127.0.0.1:${port}`];
  const found = (await look({ set, strategies: '[]' })).filter(({ check }) => check === 'clock');
  expect(bad(found)).toEqual([
    expect.stringMatching(
      /^fail clock: the service's time less this machine's is 1[12]\d{4} ms, to \d+ ms, though it is on this machine \| set clock.source: date/,
    ),
  ]);
});

function edit(sql: string): void {
  const database = new Database(journalPath());
  try {
    for (const { name } of database.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'").all()) {
      database.exec(`DROP TRIGGER ${name}`);
    }
    database.exec(sql);
  } finally {
    database.close();
  }
}
