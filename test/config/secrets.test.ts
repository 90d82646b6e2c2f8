import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { differences } from '#config/arming.ts';
import { codesOf, configOf, faultsOf, folder, inspect, LIVE_URL } from './support.ts';

const SECRET = Buffer.from('a secret that must not show up').toString('base64');
const EXAMPLE = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

const kept = (cwd: string, mode: number, text = `${SECRET}\n`): string => {
  const file = path.join(cwd, 'secret');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};

describe('B38 a secret stands where only its owner can read it', () => {
  test.each(['apiSecret', 'apiKey', 'token', 'password'])('service.%s in YAML is refused and not repeated', (name) => {
    const yaml = `service:\n  ${name}: ${SECRET}`;
    const [line = ''] = faultsOf(yaml);
    expect(line).toMatch(new RegExp(`^kairos\\.yaml:2: service\\.${name}: a secret may not stand here; .* KAIROS_[A-Z_]+_FILE `));
    expect(line).not.toContain(SECRET);
    expect(codesOf(yaml)).toEqual(['SECRET_EXPOSED']);
  });

  test.each([`service.apiSecret=${SECRET}`, `service={apiSecret: ${SECRET}}`])('on the command line as well: %s', (set) => {
    const faults = faultsOf('lanes: { max: 1 }', { set: [set] });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^--set: service\.apiSecret: a secret may not stand here/);
    expect(faults[0]).not.toContain(SECRET);
  });

  test('it comes from the environment, or from a file with mode 0600', () => {
    const cwd = folder();
    kept(cwd, 0o600);
    const fromFile = configOf(LIVE_URL, { cwd, env: { KAIROS_API_SECRET_FILE: 'secret' } });
    const direct = configOf(LIVE_URL, { env: { KAIROS_API_SECRET: SECRET } });
    expect(fromFile.settings.service.apiSecret).toBe(SECRET);
    expect(direct.settings.service.apiSecret).toBe(SECRET);
    expect(fromFile.origins().find(({ key }) => key === 'service.apiSecret')).toEqual({
      key: 'service.apiSecret',
      value: '[set]',
      origin: 'env KAIROS_API_SECRET_FILE',
    });
  });

  test('who may not read it arms the same: it changes neither the hash nor what differs', () => {
    const [daemon, terminal] = [configOf(LIVE_URL, { env: { KAIROS_API_SECRET: SECRET } }), configOf(LIVE_URL, { env: {} })];
    expect(daemon.json).not.toBe(terminal.json);
    expect(daemon.hash).toBe(terminal.hash);
    expect(differences(daemon.json, terminal.json)).toEqual([]);
  });

  test('it comes from a file of its name in secrets/, or among the credentials of systemd; a variable overrides them', () => {
    const cwd = folder();
    mkdirSync(path.join(cwd, 'secrets'));
    const place = path.join(cwd, 'secrets/KAIROS_API_SECRET');
    writeFileSync(place, `${SECRET}\n`, { mode: 0o600 });
    writeFileSync(path.join(cwd, 'kairos_KAIROS_API_KEY'), 'key-of-systemd', { mode: 0o400 });
    const { settings, origins } = configOf(LIVE_URL, { cwd, env: { CREDENTIALS_DIRECTORY: cwd } });
    expect(settings.service).toMatchObject({ apiSecret: SECRET, apiKey: 'key-of-systemd' });
    expect(origins().find(({ key }) => key === 'service.apiSecret')?.origin).toBe('secrets/KAIROS_API_SECRET');
    expect(configOf(LIVE_URL, { cwd, env: { KAIROS_API_SECRET: `${SECRET}${SECRET}` } }).settings.service.apiSecret).not.toBe(SECRET);
    chmodSync(place, 0o644);
    expect(faultsOf(LIVE_URL, { cwd })).toEqual([
      'service.apiSecret: secrets/KAIROS_API_SECRET: can be read by others; run: chmod 600 secrets/KAIROS_API_SECRET',
    ]);
  });

  test('a misspelt file of secrets is refused as a misspelt variable is, and what is no secret is told', () => {
    const cwd = folder();
    const put = (dir: string, ...names: readonly string[]): void => {
      mkdirSync(path.join(cwd, dir), { recursive: true });
      for (const name of names) writeFileSync(path.join(cwd, dir, name), 'x', { mode: 0o600 });
    };
    const env = { CREDENTIALS_DIRECTORY: path.join(cwd, 'given'), KAIROS_PASSWORD_FILE: 'secrets/KAIROS_PASSWORD_2' };
    put(
      'secrets',
      'KAIROS_API_KEY',
      'KAIROS_API_KEY_2',
      'KAIROS_PASSWORD_2',
      'KAIROS_USER_ID',
      'KAIROS_API_KEY~',
      'KAIROS_PHONE',
      '.gitignore',
      'other',
    );
    put('given', 'kairos_KAIROS_TOKEN', 'KAIROS_API_KEY', 'of-another');
    expect(configOf(LIVE_URL, { cwd, env }).notes.map((note) => note.replace(cwd, ''))).toEqual([
      '/given/KAIROS_API_KEY: nothing reads this file; a secret has the name of its variable, as kairos_KAIROS_API_KEY',
      'secrets/KAIROS_API_KEY_2: nothing reads this file; a secret has the name of its variable, as KAIROS_API_KEY',
      'secrets/KAIROS_API_KEY~: nothing reads this file; a secret has the name of its variable, as KAIROS_API_KEY',
      'secrets/KAIROS_PHONE: nothing reads this file; a secret has the name of its variable, as KAIROS_API_KEY',
      'secrets/KAIROS_USER_ID: is not read, since service.userId is no secret; set it in kairos.yaml',
    ]);
    put('secrets', 'KAIROS_ALERTS_HTTP_ULR');
    put('given', 'kairos_KAIROS_API_SECRT');
    expect(faultsOf(LIVE_URL, { cwd, env }).map((line) => line.replace(cwd, ''))).toEqual([
      '/given/kairos_KAIROS_API_SECRT: unknown secret; the nearest known one is kairos_KAIROS_API_SECRET',
      'secrets/KAIROS_ALERTS_HTTP_ULR: unknown secret; the nearest known one is KAIROS_ALERTS_HTTP_URL',
    ]);
  });

  test('named tokens of the control server are lines of a file, or have commas between; a fault repeats none', () => {
    const tokens = (text: string) => configOf(LIVE_URL, { env: { KAIROS_OPS_TOKENS: text } }).settings.ops.tokens;
    const [ann, bob] = [
      { name: 'ann', role: 'operate', token: 'a-token-that-operates' },
      { name: 'bob', role: 'arm', token: 'a-token-that-also-arms' },
    ];
    expect(tokens('ann operate a-token-that-operates\nbob arm a-token-that-also-arms\n')).toEqual([ann, bob]);
    expect(tokens('ann operate a-token-that-operates, bob arm a-token-that-also-arms')).toEqual([ann, bob]);
    for (const text of [
      'ann boss a-token-that-operates',
      'ann arm short',
      'ann arm a-token-that-operates,ann read a-token-that-operates',
    ]) {
      const [fault = ''] = faultsOf(LIVE_URL, { env: { KAIROS_OPS_TOKENS: text } });
      expect(fault).toMatch(/^env KAIROS_OPS_TOKENS: ops\.tokens: must /);
      expect(fault).not.toMatch(/operates|short/);
    }
  });

  test('signals from outside need theirs, to start and for nothing else', () => {
    const yaml = 'signals: { sources: [{ name: model }] }';
    expect(faultsOf(yaml, { live: 'either' })).toEqual([
      'kairos.yaml:1: signals.sources: need a secret; set KAIROS_SIGNALS_SECRET to what openssl rand -hex 32 prints',
    ]);
    expect([faultsOf(yaml), faultsOf(yaml, { live: false, env: { KAIROS_SIGNALS_SECRET: 'x'.repeat(16) } })]).toEqual([[], []]);
  });

  test('I15 no secret of any group is in the text that the journal keeps of a configuration', () => {
    const env = {
      KAIROS_OPS_TOKEN: 'token-of-the-control-server',
      KAIROS_ALERTS_SLACK_URL: 'https://hooks.example/services/of-my-own',
      KAIROS_ALERTS_HTTP_URL: 'https://pager.example/of-my-own',
      KAIROS_ALERTS_HTTP_AUTHORIZATION: 'Bearer of-my-own',
    };
    const { json, hash, settings } = configOf('lanes: { max: 7 }', { env });
    expect(settings.alerts.slack.url).toBe(env.KAIROS_ALERTS_SLACK_URL);
    for (const secret of Object.values(env)) expect(json).not.toContain(secret);
    expect(configOf('lanes: { max: 7 }', { env: { ...env, KAIROS_OPS_TOKEN: 'another-token-of-it' } }).hash).toBe(hash);
  });

  test.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o604, 0o666])(
    'a file that others may read (mode %o) is refused',
    (mode) => {
      const cwd = folder();
      kept(cwd, mode);
      const env = { KAIROS_API_SECRET_FILE: 'secret' };
      expect(faultsOf(LIVE_URL, { cwd, env })).toEqual([
        'env KAIROS_API_SECRET_FILE: service.apiSecret: secret: can be read by others; run: chmod 600 secret',
      ]);
      expect(codesOf(LIVE_URL, { cwd, env })).toEqual(['SECRET_EXPOSED']);
    },
  );

  test('a secret file that is missing, empty or a directory is refused', () => {
    const cwd = folder();
    kept(cwd, 0o600, '\n');
    mkdirSync(path.join(cwd, 'dir'));
    const line = (file: string) => faultsOf(LIVE_URL, { cwd, env: { KAIROS_TOKEN_FILE: file } });
    expect(line('nowhere')).toEqual(['env KAIROS_TOKEN_FILE: service.token: nowhere: there is no such file']);
    expect(line('secret')).toEqual(['env KAIROS_TOKEN_FILE: service.token: secret: is empty']);
    expect(line('dir')).toEqual(['env KAIROS_TOKEN_FILE: service.token: dir: is a directory, not a file']);
  });

  test('given twice, nobody could say which counts', () => {
    const cwd = folder();
    kept(cwd, 0o600);
    const env = { KAIROS_API_SECRET: SECRET, KAIROS_API_SECRET_FILE: 'secret' };
    expect(faultsOf(LIVE_URL, { cwd, env })).toEqual([
      'env KAIROS_API_SECRET: service.apiSecret: is given twice; unset KAIROS_API_SECRET or KAIROS_API_SECRET_FILE',
    ]);
  });

  test('I15 nothing that is printed, hashed or journaled has it', () => {
    const env = { KAIROS_API_SECRET: SECRET, KAIROS_API_KEY: 'key-of-mine', KAIROS_TOKEN: 'token-of-mine', KAIROS_PASSWORD: 'hunter22' };
    const config = configOf(LIVE_URL, { env });
    const all = `${config.json} ${JSON.stringify(config.origins())}`;
    for (const secret of Object.values(env)) expect(all).not.toContain(secret);
    expect(config.hash).toBe(configOf(LIVE_URL, { env: { ...env, KAIROS_TOKEN: 'another-token' } }).hash);
  });
});

describe('B29 a secret that cannot sign is refused and not repeated', () => {
  test.each([
    ['with a space', `${SECRET.slice(0, 8)} ${SECRET.slice(8)}`],
    ['not Base64', '$$$$not-base64-at-all$$$$'],
    ['two alphabets of Base64 in one', SECRET.replace(/^./, '_').replace(/.(?=.$)/, '+')],
    ['too short', 'QUJD'],
  ])('%s', (_what, secret) => {
    const faults = faultsOf(LIVE_URL, { env: { KAIROS_API_SECRET: secret } });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^env KAIROS_API_SECRET: service\.apiSecret: /);
    expect(faults[0]).not.toContain(secret);
  });

  test("the paper venue's secret, which everybody knows, goes to no other service", () => {
    const faults = faultsOf(LIVE_URL, { env: { KAIROS_API_SECRET: EXAMPLE } });
    expect(faults).toEqual([
      "env KAIROS_API_SECRET: service.apiSecret: is the paper venue's, which is public; set your own as KAIROS_API_SECRET",
    ]);
    const local = 'service: { baseUrl: "http://localhost:8090" }';
    expect(faultsOf(local, { env: { KAIROS_API_SECRET: EXAMPLE } })).toEqual([]);
    const webhooks = `{ ${local}, webhooks: { enabled: true }, mode: live }`;
    expect(faultsOf(webhooks, { env: { KAIROS_API_SECRET: EXAMPLE, KAIROS_USER_ID: '1205' }, live: true })).toContainEqual(
      expect.stringMatching(/webhooks\.enabled: needs a secret; set KAIROS_WEBHOOKS_SECRET or KAIROS_API_SECRET$/),
    );
  });
});

test('on paper the key pair and user of the venue are there without being asked for; off loopback they are not', () => {
  expect(configOf('lanes: { max: 1 }').settings.service).toMatchObject({
    userId: '1205',
    apiKey: '11111111-1111-4111-8111-111111111111',
    apiSecret: EXAMPLE,
    username: 'paper@example.com',
    password: 'paper',
  });
  const live = inspect(LIVE_URL);
  expect('config' in live && live.config.settings.service).toMatchObject({
    userId: null,
    apiKey: null,
    apiSecret: null,
    username: null,
    password: null,
  });
});

describe('a command in a shell has none of the secrets that a unit gives its daemon', () => {
  test.each([
    ["a chat without its bot's token", 'alerts: { telegram: { chatId: "77" } }', "alerts.telegram.chatId: needs the bot's token"],
    ['operators without a token', 'alerts: { telegram: { operators: ["77"] } }', "alerts.telegram.operators: need the bot's token"],
    ['webhooks without a secret', 'webhooks: { enabled: true }', 'webhooks.enabled: needs a secret'],
    ['webhooks without a user', 'webhooks: { enabled: true }', 'webhooks.enabled: needs service.userId'],
  ])('%s stops a start, and no other command', (_what, yaml, fault) => {
    const live = `${LIVE_URL}mode: live\n${yaml}\n`;
    expect(faultsOf(live)).toEqual([]);
    expect(faultsOf(live, { live: true })).toContainEqual(expect.stringContaining(fault));
  });

  test('a channel without its token stops who sends alerts', () => {
    const yaml = 'alerts: { telegram: { chatId: "77" } }';
    expect(faultsOf(yaml, { sendsAlerts: true })).toEqual([expect.stringContaining("needs the bot's token")]);
  });
});
