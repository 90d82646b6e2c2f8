import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folder } from '../config/support.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { FRUGAL } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = path.join(ROOT, 'bin/kairos.mjs');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Sees standard output as it grows; may send signals. */
  readonly onOut?: (out: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs a command in a folder of its own, in this process: for what a command says, and the code that it would end with. */
async function kairos(words: readonly string[], { cwd = folder(), env = {} }: Omit<Running, 'onOut'> = {}): Promise<Ended> {
  const { code, stdout: out, stderr: err } = await kairosHere(words, { cwd, env });
  return { code, out, err };
}

/** Runs the real binary, as a user would, in a folder of its own. */
async function spawned(words: readonly string[], { cwd = folder(), env = {}, onOut }: Running = {}): Promise<Ended> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...FRUGAL, BIN, ...words], {
    cwd,
    env: { PATH, ...env },
    timeout: 100_000,
    killSignal: 'SIGKILL',
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    onOut?.(out, (signal) => child.kill(signal));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  await once(child, 'close');
  return { code: child.exitCode, out, err };
}

describe('a user who errs reads one line', () => {
  test.each([
    ['an unknown command', ['rnu'], "kairos: unknown command 'rnu' (did you mean run?)\n"],
    [
      'a command for what a setting does',
      ['disable', 'one'],
      /^kairos: unknown command 'disable': `kairos pause STRATEGY` .*`enabled: false`.*\n$/,
    ],
    ['a command for what a signal does', ['stop'], /^kairos: unknown command 'stop': Ctrl-C, SIGTERM .*\n$/],
    ['another word for run', ['start'], "kairos: unknown command 'start': `kairos run` starts the daemon\n"],
    ['an unknown option', ['run', '--lve'], "kairos: unknown option '--lve' (did you mean --live?)\n"],
    ['an option that is like none', ['status', '--foo'], "kairos: unknown option '--foo': --help has an example\n"],
    ['an option of a fleet that is not halted', ['fleet', '--hlat'], "kairos: unknown option '--hlat' (did you mean --halt?)\n"],
    [
      'a needed option that is missing',
      ['ledger', 'add', '--currency', 'usd', '--amount', '5'],
      "kairos: required option '--reason <text>' not specified: --help has an example\n",
    ],
    ['an argument too many', ['products', 'btcusd'], /^kairos: too many arguments for 'products'.*\n$/],
    ['an argument too few', ['why'], "kairos: missing required argument 'order': --help has an example\n"],
    ['a side that is none', ['order', 'btcusd', 'byu'], "kairos: argument 'side' 'byu' is invalid. Allowed choices are buy, sell.\n"],
    ['no choice of quotes', ['quotes', 'btcusd'], 'kairos: quotes needs one of --size N, --value N, --basic and --full\n'],
    [
      'B05 a size that is none',
      ['quotes', 'btcusd', '--size', '1e3'],
      /^kairos: option '--size <number>' argument '1e3' is invalid\. .*\n$/,
    ],
    ['B18 an unknown setting', ['config', 'check', '--set', 'risk.maxUnknwn=1'], /^kairos: --set: risk\.maxUnknwn: .* risk\.maxUnknown\n$/],
    [
      '--live without a service',
      ['run', '--live'],
      /^kairos: --live or KAIROS_LIVE=yes is given, and the settings do not say `mode: live`.*\n$/,
    ],
  ])('%s, exit 2', async (_what, words, line) => {
    const { code, out, err } = await kairos(words);
    expect(err).toMatch(line);
    expect(err.split('\n')).toHaveLength(2);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('and its process ends with 2', async () => {
    expect(await spawned(['rnu'])).toEqual({ code: 2, out: '', err: "kairos: unknown command 'rnu' (did you mean run?)\n" });
  });

  test('--debug adds the stack', async () => {
    const { code, err } = await kairos(['config', 'print', '--debug', '--set', 'lanes.max=0']);
    expect(code).toBe(2);
    expect(err).toMatch(/^kairos: --set: lanes\.max: .*\nKairosError: .*\n {4}at /);
  });
});

describe('help', () => {
  test('names every command, and says how to begin', async () => {
    const first = await kairos(['--help']);
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/To begin with:[\s\S]*^ {2}run\b[\s\S]*kairos --help all/m);
    const { code, out } = await kairos(['--help', 'all']);
    expect(code).toBe(0);
    for (const command of ['run', 'venue', 'status', 'journal', 'config', 'products', 'accounts', 'quotes']) {
      expect(out).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    }
    expect(out).toContain('Example:');
  });

  test.each([['run'], ['venue'], ['quotes'], ['products'], ['accounts'], ['config', 'check'], ['config', 'print'], ['config', 'schema']])(
    'of %s %s has an example and the options that all take',
    async (...words) => {
      const { code, out } = await kairos([...words, '--help']);
      expect(code).toBe(0);
      expect(out).toContain('Example:\n  kairos');
      for (const option of ['--config <file>', '--set <key=value>', '--debug']) expect(out).toContain(option);
    },
  );

  test('without a command it is printed, and that is wrong use', async () => {
    const { code, out, err } = await kairos([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Usage: kairos');
  });
});

describe('config', () => {
  test('check says ok, or prints every fault on a line', async () => {
    expect(await kairos(['config', 'check'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^ok: paper, 3 strategies, from .*paper\.yaml\n$/),
    });
    const cwd = folder();
    writeFileSync(path.join(cwd, 'kairos.yaml'), 'lanes: { max: 0 }\nrisks: {}\n');
    expect(await kairos(['config', 'check'], { cwd })).toEqual({
      code: 2,
      out: '',
      err: 'kairos: kairos.yaml:1: lanes.max: must be a whole number from 1 to 10000, not 0\nkairos: kairos.yaml:2: risks: unknown setting; the nearest known one is risk\n',
    });
  });

  test('B40 check tells unknown settings, bad values and wrong parameters of strategies in one go', async () => {
    const cwd = folder();
    writeFileSync(
      path.join(cwd, 'kairos.yaml'),
      `riks: { maxFeePct: 1 }
risk: { maxSpreadPct: wide }
strategies:
  - { id: one, use: sma-cross, product: btcusd, amount: { base: 0.01 }, parms: {}, params: { fast: -1, slwo: 3 }, windows: 5 }
  - { id: two, use: sma-corss, product: nosuch, amount: { base: 0.01 } }
`,
    );
    const { code, err } = await kairos(['config', 'check'], { cwd });
    expect(code).toBe(2);
    const lines = err.trimEnd().split('\n');
    expect(lines).toHaveLength(7);
    for (const [n, line] of [
      /:1: riks: unknown setting; the nearest known one is risk$/,
      /:2: risk\.maxSpreadPct: must be/,
      /:4: strategies\[0\]\.parms: unknown setting; the nearest known one is params$/,
      /:4: strategies\[0\]\.windows: must be/,
      /:4: strategy one: params\.slwo: unknown; .*; params\.fast: must be at least 1, not -1/,
      /:5: strategy two: use: strategy 'sma-corss'.*did you mean 'sma-cross'/,
      /:5: strategy two: the service quotes no product nosuch/,
    ].entries())
      expect(lines[n]).toMatch(line);
  });

  test('B40 check finds a strategy that does not exist', async () => {
    const { code, err } = await kairos(['config', 'check', '--set', 'strategies[0].use=sma-corss']);
    expect(code).toBe(2);
    expect(err).toMatch(/^kairos: .*sma-corss.*\n$/);
  });

  test.each([
    [
      'products and amounts by the limits of the paper venue',
      `strategies:
  - { id: a, use: sma-cross, product: btceur, amount: { base: 0.01 } }
  - { id: b, use: sma-cross, product: btcusd, amount: { base: 0.00001 } }
  - { id: c, use: sma-cross, product: btcusd, amount: { base: 0.010001 } }
  - { id: d, use: sma-cross, product: btcusd, amount: { quote: 1 } }
`,
      4,
    ],
    ['prices that cannot be read', 'venue: { prices: { source: file, path: none.csv, product: btcusd } }', 1],
    ['more lanes than are allowed', 'lanes: { max: 2 }', 1],
  ])('B06 B40 check finds what run would refuse, in its words: %s', async (_what, config, count) => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'own.yaml'), config);
    const words = ['--config', path.join(ROOT, 'config/paper.yaml'), '--config', 'own.yaml'];
    const [check, run] = await Promise.all([kairos(['config', 'check', ...words], { cwd }), spawned(['run', ...words], { cwd })]);
    const lines = check.err.trimEnd().split('\n');
    expect([check.code, lines.length, run.code]).toEqual([2, count, 2]);
    expect(run.err).toBe(`${lines[0]}\n`);
  });

  test('print shows where each value comes from, and never a secret', async () => {
    const cwd = folder();
    const secret = Buffer.from('of nobody else but me').toString('base64');
    writeFileSync(path.join(cwd, 'secret'), secret);
    chmodSync(path.join(cwd, 'secret'), 0o600);
    const env = { KAIROS_API_SECRET_FILE: 'secret', KAIROS_LANES_MAX: '9' };
    const { code, out } = await kairos(['config', 'print', '--origins'], { cwd, env });
    expect(code).toBe(0);
    expect(out).toMatch(/^service\.apiSecret +\[set\] +env KAIROS_API_SECRET_FILE$/m);
    expect(out).toMatch(/^lanes\.max +9 +env KAIROS_LANES_MAX$/m);
    expect(out).toMatch(/^strategies\[0\]\.params\.fast +\d+ +\S*paper\.yaml:\d+$/m);
    expect(out).not.toContain(secret);
    const print = await kairos(['config', 'print', '--json'], { cwd, env });
    expect(JSON.parse(print.out)).toMatchObject({ lanes: { max: 9 }, service: { apiSecret: '[set]' } });
  });
});

describe('what the service offers, asked of a venue that lives as long as the command', () => {
  test('products of one exchange, and a clear refusal of an unknown one', async () => {
    const { code, out, err } = await kairos(['products', '--exchange', 'VB', '--json']);
    expect(code).toBe(0);
    expect(err).toMatch(/^kairos: no service\.baseUrl: .*\n$/);
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ product: 'btcusd', minSize: '0.0001' }));
    expect(await kairos(['products', '--exchange', 'XX'])).toMatchObject({ code: 1, out: '' });
  });

  test('accounts, without their keys', async () => {
    const { code, out } = await kairos(['accounts', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ id: '70312', exchangeCode: 'VB' }));
    expect(out).not.toMatch(/key/i);
  });

  test.each([
    ['--size', '0.01'],
    ['--value', '100'],
    ['--basic', undefined],
    ['--full', undefined],
  ])('quotes %s end after as many as were asked for', async (option, value) => {
    const { code, out } = await kairos(['quotes', 'btcusd', option, ...(value ? [value] : []), '--count', '2', '--json']);
    expect(code).toBe(0);
    const quotes = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(quotes).toHaveLength(2);
    for (const quote of quotes) expect(quote).toMatchObject({ product: 'btcusd' });
  });

  test('quotes of a product that is not quoted are refused in one line', async () => {
    const { code, out, err } = await kairos(['quotes', 'dogeusd', '--size', '1']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/kairos: the service refuses TRADING dogeusd base:1: .*\n$/);
  });

  test('quotes go on until Ctrl-C, exit 130', async () => {
    const { code, out } = await spawned(['quotes', 'eurusd', '--size', '5'], {
      onOut: (text, kill) => void (text.includes('eurusd') || text.split('\n').length > 3 ? kill('SIGINT') : undefined),
    });
    expect(code).toBe(130);
    expect(out).toMatch(/^ +buy price +sell price/);
  });
});

test('venue says where it listens and how to point a bot at it, and one signal ends it with 0', async () => {
  const { code, out } = await spawned(['venue', '--port', '0', '--set', 'venue.database=:memory:'], {
    onOut: (text, kill) => void (text.includes('Ctrl-C') ? kill('SIGTERM') : undefined),
  });
  expect(code).toBe(0);
  expect(out).toMatch(/^The paper venue listens on http:\/\/127\.0\.0\.1:\d+; no real money$/m);
  expect(out).toMatch(/^ {2}a bot +KAIROS_BASE_URL=http:\/\/127\.0\.0\.1:\d+ \S*kairos\S* run$/m);
});

test('a reader that goes away, as head does, ends a command without a word', async () => {
  const child = spawn(process.execPath, [...FRUGAL, BIN, 'quotes', 'btcusd', '--size', '0.01'], {
    cwd: folder(),
    env: {},
    timeout: 100_000,
    killSignal: 'SIGKILL',
  });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdout.once('data', () => child.stdout.destroy());
  await once(child, 'close');
  expect({ code: child.exitCode, err }).toEqual({ code: 0, err: expect.stringMatching(/^kairos: no service\.baseUrl: .*\n$/) });
});

test('a daemon whose reader goes away goes on, is not halted by it, and stops in good order when it is asked to', async () => {
  const cwd = folder();
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...FRUGAL, BIN, 'run'], { cwd, env: { PATH }, timeout: 100_000, killSignal: 'SIGKILL' });
  child.stderr.resume();
  child.stdout.once('data', () => child.stdout.destroy());
  await once(child.stdout, 'close');
  // The first orders of the demo are printed to nobody.
  const accepted = async () => JSON.parse((await kairos(['orders', '--state', 'accepted', '--json'], { cwd })).out)[0];
  await waitFor(accepted);
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  const { out } = await kairos(['journal', 'runs', '--json'], { cwd });
  expect(JSON.parse(out)).toMatchObject([{ end_state: 'stopped' }]);
});
