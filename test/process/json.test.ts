import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { wholeProgram } from '#cli/commands.ts';
import { leavesOf } from '../../scripts/reference/commands.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, startKairos } from '../support/process.ts';
import { ROOT } from '../support/root.ts';

const LEAVES = (await wholeProgram()).commands.flatMap((command) => leavesOf(command, ''));

/** What `--json` prints: a list, an object with these members among others, or a line of JSON for each. */
type Shape = 'list' | 'lines' | readonly string[];

const ACT = ['act', 'strategy', 'ended', 'pid'] as const;

/** Each command on a project that has traded, in this order; ORDER is one of its orders. */
const PRINTS: readonly (readonly [words: string, shape: Shape])[] = [
  ['status', ['run', 'orders', 'positions', 'ledger', 'latches']],
  ['fleet .', ['at', 'daemons']],
  ['positions', 'list'],
  ['orders', 'list'],
  ['trades', 'list'],
  ['profit', 'list'],
  ['report last', ['summary', 'title', 'settings', 'run', 'headlines', 'figures', 'trades', 'open']],
  ['report last last', ['summary', 'caveats', 'runs', 'settings', 'figures']],
  ['why ORDER', ['order', 'words', 'decisions', 'ledger']],
  ['why-not', 'list'],
  ['journal runs', 'list'],
  ['journal tail', 'list'],
  ['journal show ORDER', ['order', 'decisions', 'ledger']],
  ['journal reasons', 'list'],
  ['journal verify', ['ok', 'decisions', 'orders', 'ledger', 'hash']],
  ['journal backup backup.db', ['file', 'decisions', 'hash']],
  ['notifications list', 'list'],
  ['ledger balances', ['books', 'total']],
  ['ledger add --currency usd --amount 5 --reason test', ['kind', 'book', 'currency', 'amount']],
  ['reconcile --actual usd=1000000 --yes', 'list'],
  ['export last --to bundle', ['folder', 'rows', 'notes']],
  ['data list', 'list'],
  ['data formats', 'list'],
  ['data verify', 'list'],
  ['data gaps', 'list'],
  ['data seal', ['sealed', 'told']],
  ['backtest', ['run', 'quotes', 'orders', 'refusals', 'profit']],
  ['sweep --vary coin-eth.seed=1..2:1 --jobs 1', ['ranking', 'best']],
  ['parity last', ['run', 'equal']],
  ['strategies', 'list'],
  ['docs', 'list'],
  ['docs go-live', ['name', 'title', 'text']],
  ['docs unknown outcome', 'list'],
  ['config check', ['ok', 'mode', 'strategies']],
  ['config print', ['service', 'risk', 'strategies']],
  ['doctor', 'list'],
  ['schedule list', 'list'],
  ['schedule preview', 'list'],
  ['accounts', 'list'],
  ['products', 'list'],
  ['quotes btcusd --size 0.01 --count 2', 'lines'],
  ['remote actions', 'list'],
  ['pause cross-btc', ACT],
  ['enable cross-btc', ACT],
  ['resume cross-btc', ACT],
  ['record --seconds 1', ['run', 'path', 'quotes', 'bytes']],
];

/** Commands whose JSON is looked at where what they need is there. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'a running daemon (test/server)': 'arm/close/flatten/halt/order/rehearse',
  'a venue (test/process/venue-commands)': 'venue/venue deposit/venue notifications/venue revoke',
  "the service's strategies (test/process/remote)":
    'remote create/remote modify/remote start/remote pause/remote stop/remote delete/remote pause-openings/remote flush/remote pause-all/remote resume-all/remote delete-all/remote find/remote sign-in/remote settle',
  'a notification (test/process/webhooks)': 'notifications show/notifications accept/notifications test',
  'days of data (test/process/sweep, test/cli/data)': 'walk-forward/data import/data export',
  'an order of unknown outcome (test/server)': 'journal resolve',
  'a journal of decisions (test/adapters/journal/rotate)': 'journal rotate',
  'a line of the schedule (test/process/schedule)': 'schedule run',
  'a channel (test/process/alerts)': 'alerts test',
  'a receiver of OTLP (test/daemon/operations/traces)': 'trace',
  'a Redis (test/process/sweep-by-queue)': 'queue',
  'a drawn service (test/process/trial, docs/arena.md)': 'arena/trial',
};

describe('--json prints one value that a script can read, and nothing else', () => {
  let folder: DaemonFolder;
  let order = '';

  beforeAll(async () => {
    folder = new DaemonFolder('json');
    const run = startKairos(['run', '--set', 'venue.quotesPerSecond=40'], { cwd: folder.path });
    await run.until('orders', ({ stdout }) => stdout.split('accepted').length > 4 || undefined);
    run.signal('SIGINT');
    expect(await run.ended).toMatchObject({ code: 0 });
    order = folder.accepted() ?? '';
  });

  afterAll(async () => {
    await endAll();
    folder.remove();
  });

  afterEach(() => rmSync(`${folder.path}/backup.db`, { force: true }));

  test.each(PRINTS)('%s', async (line, shape) => {
    const { code, stdout, stderr } = await kairosHere([...line.replace('ORDER', order).split(' '), '--json'], { cwd: folder.path });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    if (shape === 'lines') {
      for (const one of stdout.trimEnd().split('\n')) expect(typeof JSON.parse(one)).toBe('object');
      return;
    }
    const value: unknown = JSON.parse(stdout);
    if (shape === 'list') expect(Array.isArray(value)).toBe(true);
    else expect(Object.keys(typeof value === 'object' && value !== null ? value : {})).toEqual(expect.arrayContaining([...shape]));
  });

  test('every command that takes it is among them, or is looked at elsewhere', () => {
    const names = LEAVES.filter(({ command }) => command.options.some(({ long }) => long === '--json')).map(({ name }) => name);
    const here = names.filter((name) => PRINTS.some(([line]) => line === name || line.startsWith(`${name} `)));
    const elsewhere = Object.values(ELSEWHERE).flatMap((list) => list.split('/'));
    expect([...here, ...elsewhere].sort()).toEqual([...names].sort());
  });
});

describe('wrong use of any command ends with 2 and one line', () => {
  // A halt obeys first (test/process/halts).
  const others = LEAVES.filter(({ name }) => name !== 'halt');
  test.each(others.map(({ name, command }) => [name, command] as const))('%s', async (name, command) => {
    const surplus = Array.from({ length: command.registeredArguments.length + 1 }, () => 'x');
    for (const words of [['--nonsense'], command.registeredArguments.at(-1)?.variadic ? ['--set'] : surplus]) {
      const { code, stdout, stderr } = await kairosHere([...name.split(' '), ...words], { cwd: ROOT });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^kairos: .{10,}\n$/);
    }
  });
});
