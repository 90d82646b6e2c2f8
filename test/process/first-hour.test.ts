import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { BROKER_KEY, BROKER_SECRET } from '#paper-venue/defaults.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { unhurriedHere } from '../support/kairos-here.ts';
import { endAll, type Started, startKairos } from '../support/process.ts';
import { ROOT } from '../support/root.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';

/** The commands of the table of the first hour, as the page has them. */
const COMMANDS = [...readFileSync(path.join(ROOT, 'docs/how-to/go-live.md'), 'utf8').matchAll(/^\| `npx kairos ([^`]+)` \|/gm)].map(
  ([, words = '']) => words,
);

const DIALECTS = {
  'fees as received, untold': ['upper-currencies', 'text-figures', 'answer-200', 'fee-as-received', 'fee-untold'],
  'fees in base, told': ['validity-as-number', 'spread-as-fraction', 'product-pages', 'fee-in-base', 'fee-as-commission'],
  'fees in quote': ['upper-products-only', 'no-display-figures', 'ack-late', 'null-base-fee', 'word-in-result', 'unpadded-secret'],
} as const;
/** What the rehearsal must propose there; nothing where answers tell the fee, or the default is right. */
const FEE_IN = { 'fees as received, untold': 'received', 'fees in base, told': 'base', 'fees in quote': undefined } as const;

const CONFIG = (url: string): string => `service: { baseUrl: '${url}' }
account: { opening: { usd: 1000000, eur: 1000000, sek: 10000000, btc: 100, eth: 1000 } }
strategies: [{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 }, enabled: false }]
`;

let folder: DaemonFolder;
let venue: Venue;
afterEach(async () => {
  await endAll();
  await venue.close();
  folder.remove();
});

test('the page has the hour', () => {
  expect(COMMANDS.map((words) => words.split(' ')[0])).toEqual(['doctor', 'run', 'rehearse', 'reconcile', 'arm', 'why-not']);
  venue = { close: async () => {} } as Venue;
  folder = new DaemonFolder('first-hour-none');
});

test.each(Object.entries(DIALECTS))('a reader of the table gets through the first hour: %s', async (name, dialect) => {
  folder = new DaemonFolder('first-hour');
  const cwd = folder.path;
  venue = await startVenue({ ...VENUE_SETTINGS, dialect, capabilities: ['balances'], quotesPerSecond: 6 }, systemTimers);
  folder.write('kairos.yaml', CONFIG(venue.url));
  const env = { KAIROS_API_KEY: BROKER_KEY, KAIROS_API_SECRET: BROKER_SECRET, KAIROS_USER_ID: '1205' };
  const pasted: string[] = [];
  const files: string[] = ['--config', 'kairos.yaml'];
  const proposed: (string | undefined)[] = [];
  const agreed: unknown[] = [];
  let run: Started | undefined;
  const start = async (): Promise<void> => {
    run?.signal('SIGINT');
    await run?.ended;
    const begun = startKairos(['run', ...files], { cwd, env });
    run = begun;
    await begun.says(/Ctrl-C/);
  };
  const left = [...COMMANDS];
  for (let words = left.shift(); words !== undefined; words = left.shift()) {
    const typed = words.replace(' --live', '').split(' ');
    if (typed[0] === 'run') {
      await start();
      continue;
    }
    const more = {
      doctor: ['--seconds', '5', '--json'],
      rehearse: ['--yes', '--json'],
      arm: ['--yes'],
      reconcile: ['--yes'],
    };
    const extra = Object.entries(more).find(([one]) => one === typed[0])?.[1] ?? [];
    const ended = await unhurriedHere([...typed, ...extra, ...files], { cwd, env });
    expect(ended, `${words}: ${ended.stderr}`).toMatchObject({ code: 0 });
    if (typed[0] === 'doctor') {
      const { yaml, findings } = JSON.parse(ended.stdout);
      expect(findings).toContainEqual(expect.objectContaining({ check: 'feed', verdict: 'ok' }));
      expect(yaml).toContain('balances');
      pasted.push(yaml);
      folder.write('service.yaml', yaml);
      files.push('--config', 'service.yaml');
    }
    if (typed[0] === 'rehearse') {
      const { settings, agree } = JSON.parse(ended.stdout);
      agreed.push(agree);
      proposed.push(settings['service.feeIn']);
      if (settings['service.feeIn'] === undefined) continue;
      folder.write('fees.yaml', `service: { feeIn: ${settings['service.feeIn']} }\n`);
      files.push('--config', 'fees.yaml');
      left.unshift(words);
      await start();
    }
  }
  const feeIn = FEE_IN[name as keyof typeof FEE_IN];
  expect(proposed).toEqual(feeIn === undefined ? [undefined] : [feeIn, undefined]);
  expect(agreed.at(-1)).toBe(true);
  run?.signal('SIGINT');
  expect(await run?.ended).toMatchObject({ code: 0 });
});
