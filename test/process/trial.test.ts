import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { Score } from '#lab/arena/server/film.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { ordersOf } from '../support/eager-daemon.ts';
import { endAll, Started, startKairos } from '../support/process.ts';

const NAIVE = fileURLToPath(new URL('../lab/arena/naive-bot.ts', import.meta.url));
/** A clock near enough for whoever does not ask for the time, so that other things show. It ends once enough was seen. */
const TRIAL = ['trial', '--seed', '10', '--seconds', '600', '--pace', '4', '--port', '0', '--page', '0', '--json'];
const FAULTS = ['--faults', 'lost-answers=25%,too-many-requests=15%,dropped-feed=2%', '--set', 'venue.quotesPerSecond=5'];
const CONFIG = `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.001 }, params: { seed: 7, everySeconds: 1 } }
risk: { maxOrdersPerMinute: off }
`;

interface Told extends Score {
  readonly orders: number;
  readonly executed: number;
  readonly page: string;
}

const folders: DaemonFolder[] = [];
afterAll(async () => {
  await endAll();
  for (const folder of folders) folder.remove();
});

interface Bot {
  begin(url: string, folder: DaemonFolder): Started;
  /** Waits until enough was seen of it. */
  enough(bot: Started, folder: DaemonFolder): Promise<unknown>;
}

/** Puts a bot on trial: what the trial says of it in the end. */
async function tried(name: string, { begin, enough }: Bot): Promise<Told> {
  const folder = new DaemonFolder(`trial-${name}`);
  folders.push(folder);
  const trial = startKairos([...TRIAL, ...FAULTS], { cwd: folder.path });
  const [, url = '', page = ''] = await trial.says(/goes on at (\S+), and is shown on (\S+)/);
  const bot = begin(url, folder);
  const film = await fetch(`${page}/api/film`).then((answer) => answer.json());
  expect(film).toMatchObject({ isLive: true, title: 'A bot on trial, seed 10' });
  await enough(bot, folder);
  trial.signal('SIGINT');
  const ended = await trial.ended;
  expect(ended.code).toBe(0);
  bot.signal('SIGTERM');
  await bot.ended;
  return JSON.parse(ended.stdout);
}

const breachesOf = ({ rows }: Told) => Object.fromEntries(rows.map(({ rule, breaches }) => [rule, breaches]));

describe('bots on trial at the same service', () => {
  test('a bot written in an evening orders again what may have been executed; Kairos does not, trades on, and scores more (F03, I02, I03)', async () => {
    const [naive, kairos] = await Promise.all([
      tried('naive', {
        begin(BASE_URL, { path: cwd }) {
          const [API_KEY, API_SECRET] = ['11111111-1111-4111-8111-111111111111', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='];
          return new Started(process.execPath, [NAIVE], { cwd, env: { BASE_URL, API_KEY, API_SECRET, ORDER_EVERY_MS: '700' } });
        },
        enough: (bot) => bot.until('lost answers', ({ stdout }) => stdout.split('no answer').length > 5 || undefined),
      }),
      tried('kairos', {
        begin(url, folder) {
          folder.write('kairos.yaml', CONFIG);
          const set = [`service.baseUrl=${url}`, 'clock.source=date', 'service.capabilities=["order-query"]'];
          return startKairos(['run', ...set.flatMap((one) => ['--set', one])], { cwd: folder.path });
        },
        enough: (bot, folder) =>
          bot.until('orders, one of them unknown for a while', () => {
            const { accepted = 0 } = ordersOf(folder);
            return (accepted > 8 && folder.rows("SELECT 1 FROM decisions WHERE kind = 'resolved'").length > 0) || undefined;
          }),
      }),
    ]);
    console.info(`the naive bot has ${Math.round(naive.points)} points, Kairos ${Math.round(kairos.points)}`);
    expect(naive.executed).toBeGreaterThan(0);
    expect(breachesOf(naive).once).toBeGreaterThan(0);
    expect(breachesOf(naive).unknown).toBeGreaterThan(0);
    expect(kairos.executed).toBeGreaterThan(0);
    expect({ ...breachesOf(kairos), trades: 0 }).toEqual(Object.fromEntries(kairos.rows.map(({ rule }) => [rule, 0])));
    expect(kairos.points).toBeGreaterThan(naive.points);
  });
});
