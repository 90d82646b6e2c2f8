import { type Command, Option } from 'commander';
import type { Score } from '#lab/arena/server/film.ts';
import { wholeNumber } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom, gather } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';
import { dialectIn, faultsIn } from './venue-words.ts';

interface Options extends ConfigOptions {
  readonly seed: string;
  readonly seconds: number;
  readonly pace: number;
  readonly port: number;
  readonly page: number;
  readonly faults?: readonly string[];
  readonly dialect?: readonly string[];
  readonly json?: boolean;
}

const SERVICE_PORT = 8090;
const PAGE_PORT = 8070;

/** Adds `trial`: a service that misbehaves by a seed, and a score for the bot that trades there. */
export function addTrial(command: Command): void {
  addConfigOptions(command)
    .option('--seed <text>', 'decides dialect, faults and clock of the service', '1')
    .option('--seconds <number>', 'how long it takes', wholeNumber(1, 86_400), 180)
    .option('--pace <seconds>', 'a bot that can trade should order at least this often', wholeNumber(1, 3_600), 15)
    .addOption(new Option('--faults <name>', 'in place of those drawn, as for `kairos venue`; none for none').argParser(gather))
    .addOption(new Option('--dialect <name>', 'in place of that drawn, as for `kairos venue`; none for none').argParser(gather))
    .option('--port <number>', 'port of the service; 0 takes a free one', wholeNumber(0, 65_535), SERVICE_PORT)
    .option('--page <number>', 'port of the page; 0 takes a free one', wholeNumber(0, 65_535), PAGE_PORT)
    .option('--json', 'print the score as JSON')
    .addHelpText('after', '\nExample:\n  kairos trial --seed 7 --seconds 120')
    .action(trial);
}

async function trial(options: Options): Promise<void> {
  const { seed, json = false } = options;
  const { settings } = configFrom(options);
  const { Trial } = await import('#lab/arena/trial/trial.ts');
  const { drawService } = await import('#lab/arena/trial/draw.ts');
  const { openArenaPage } = await import('#lab/arena/arena-page.ts');
  const { systemTimers: timers } = await import('#adapters/time/system-timers.ts');
  const stopped = new AbortController();
  const off = onStopSignal(() => stopped.abort());
  const drawn = drawService(seed);
  const service = {
    ...drawn,
    ...(options.faults && { faults: faultsIn(options.faults.flatMap((text) => text.split(',')).filter((name) => name !== 'none')) }),
    ...(options.dialect && { dialect: dialectIn(options.dialect.flatMap((text) => text.split(',')).filter((name) => name !== 'none')) }),
  };
  const running = await Trial.start({
    seed,
    service,
    lengthMs: options.seconds * 1000,
    paceMs: options.pace * 1000,
    venue: settings.venue,
    port: options.port,
    timers,
  });
  try {
    const page = await openArenaPage({ port: options.page, film: (after) => JSON.stringify(running.film(after)), timers });
    try {
      const told = { seed, url: running.url, page: page.url, seconds: options.seconds, ...(await known()) };
      if (!json) tell(told);
      else printNote(`the trial of seed ${seed} goes on at ${told.url}, and is shown on ${told.page}`);
      process.send?.('ready');
      const score = await running.run(stopped.signal);
      const { judge } = running;
      if (json) printJson({ ...told, service, orders: judge.tallies.orders, executed: running.executions, ...score });
      else tellScore(score);
    } finally {
      await page.close();
    }
  } finally {
    await running.close();
    off();
  }
}

interface TrialDetails {
  readonly seed: string;
  readonly url: string;
  readonly page: string;
  readonly seconds: number;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly userId: string;
  readonly products: readonly string[];
}

async function known(): Promise<Pick<TrialDetails, 'apiKey' | 'apiSecret' | 'userId' | 'products'>> {
  const { BROKER_KEY, BROKER_SECRET } = await import('#paper-venue/defaults.ts');
  const { VB_PRODUCTS } = await import('#paper-venue/products.ts');
  return { apiKey: BROKER_KEY, apiSecret: BROKER_SECRET, userId: '1205', products: VB_PRODUCTS.map(({ code }) => code) };
}

function tell({ seed, url, page, seconds, apiKey, apiSecret, userId, products }: TrialDetails): void {
  const rows: readonly (readonly [string, string])[] = [
    ['base URL', url],
    ['key', apiKey],
    ['secret', `${apiSecret} (Base64; public)`],
    ['user', userId],
    ['products', products.join(', ')],
    ['books', `POST ${url}/venue/books takes balances by currency; the last ones count`],
    ['kairos', `npx kairos run --set service.baseUrl=${url} --set clock.source=date --set 'service.capabilities=["order-query"]'`],
    ['page', page],
  ];
  printLine(`The trial of seed ${seed} takes ${seconds} s; Ctrl-C ends it sooner`);
  for (const [name, text] of rows) printLine(`  ${name.padEnd(9)} ${text}`);
}

function tellScore({ points, rows }: Score): void {
  printTable(
    ['rule', 'chances', 'breaches', 'points', 'first'],
    rows.map(({ title, chances, breaches, points: earned, of, first }) => [
      title,
      String(chances),
      String(breaches),
      earned === null ? 'no chance' : `${earned.toFixed(1)} of ${of}`,
      first ?? '',
    ]),
  );
  printLine(`\nscore: ${Math.round(points)} of 100`);
}
