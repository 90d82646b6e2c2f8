import { type Command, Option } from 'commander';
import { allReadings } from '#adapters/service-client/dialect/dialect.ts';
import { FAULTS, faultText, MIXED_PERCENT, POINTS, UNMIXED } from '#paper-venue/faults/catalogue.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import type { Venue } from '#paper-venue/venue.ts';
import { wholeNumber } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom, gather } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';
import { addVenueAdmin } from './venue-admin.ts';
import { dialectIn, faultsIn } from './venue-words.ts';

interface Options extends ConfigOptions {
  readonly port?: number;
  readonly faults?: readonly string[];
  readonly dialect?: readonly string[];
  readonly json?: boolean;
}

/** Default port of the paper venue when it runs alone. */
const PORT = 8090;

/** Adds `venue`: the paper service alone. */
export function addVenue(command: Command): void {
  addConfigOptions(command)
    .option('--port <number>', `port to listen on; 0 takes a free one (default: venue.port, else ${PORT})`, wholeNumber(0, 65_535))
    .addOption(new Option('--faults <name>', 'faults, with commas, such as lost-answers=50%; `help` lists them').argParser(gather))
    .addOption(new Option('--dialect <name>', 'dialect: names, with commas, or seed:N; `help` lists them').argParser(gather))
    .option('--json', 'print where it listens as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  kairos venue --port 8090 --set venue.database=:memory:\n  kairos venue --faults lost-answers,dropped-feed\n  kairos venue --dialect upper-currencies,answer-200',
    )
    .action(venue);
  addVenueAdmin(command, (options) => options.url ?? `http://127.0.0.1:${portOf(options, configFrom(options).settings.venue)}`);
}

const portOf = (options: { readonly port?: number }, { port }: VenueSettings): number => options.port ?? (port === 0 ? PORT : port);

async function venue(options: Options): Promise<void> {
  if (options.faults?.includes('help')) return listFaults(options.json === true);
  if (options.dialect?.includes('help')) return listDialect(options.json === true);
  const config = configFrom(options).settings.venue;
  const settings = {
    ...config,
    port: portOf(options, config),
    faults: options.faults ? faultsIn(options.faults) : config.faults,
    dialect: dialectIn(options.dialect ?? config.dialect),
  };
  const { startVenue } = await import('#paper-venue/venue.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const stopped = Promise.withResolvers<void>();
  const off = onStopSignal(() => stopped.resolve());
  const running = await startVenue(settings, systemTimers, printNote);
  await tell(running, settings, options);
  process.send?.('ready');
  await stopped.promise;
  await running.close();
  off();
}

async function tell(
  { url, port }: Venue,
  { database, signIn, faults, dialect, webhooks: { url: webhooks } }: VenueSettings,
  options: Options,
): Promise<void> {
  const { BROKER_KEY, BROKER_SECRET, LOGIN, PARTNER_USERS } = await import('#paper-venue/defaults.ts');
  const users = [...PARTNER_USERS];
  const secret = dialect.includes('unpadded-secret') ? BROKER_SECRET.replace(/=+$/, '') : BROKER_SECRET;
  if (options.json) {
    const known = { apiKey: BROKER_KEY, apiSecret: secret, users, login: LOGIN };
    return printJson({ url, port, database, webhooks, faults: faults.map(faultText), dialect, ...known });
  }
  const rows: readonly (readonly [string, string])[] = [
    ...(faults.length > 0 ? [['FAULTS', `it misbehaves on purpose: ${faults.map(faultText).join(', ')}`] as const] : []),
    ...(dialect.length > 0 ? [['dialect', dialect.join(', ')] as const] : []),
    ['key', BROKER_KEY],
    ['secret', `${secret} (Base64; public)`],
    ['users', users.join(', ')],
    ['sign-in', `${LOGIN.username}, password ${LOGIN.password}${signIn.totpSecret === null ? '' : ', and a second factor'}`],
    ['balances', database],
    ['webhooks', webhooks ?? 'none (venue.webhooks.url)'],
    ['documents', `${url}/openapi.json, ${url}/asyncapi.json`],
    ['a bot', `KAIROS_BASE_URL=${url} npx kairos run`],
    ['stop', 'Ctrl-C'],
  ];
  printLine(`The paper venue listens on ${url}; no real money`);
  for (const [name, text] of rows) printLine(`  ${name.padEnd(9)} ${text}`);
}

/** Prints the readings that the venue can have. */
function listDialect(asJson: boolean): void {
  const readings = allReadings();
  if (asJson)
    return printJson(readings.map(({ name, point, spec, does, client, set, own }) => ({ name, point, spec, does, client, set, own })));
  printTable(
    ['name', 'specification', 'the service', 'kairos'],
    readings.map(({ name, spec, does, client, set, own }) => [
      own ? `${name} *` : name,
      spec,
      does,
      client === 'set' ? `trades with ${Object.keys(set).join(', ')}` : client === 'trades' ? 'trades' : 'may stop trading',
    ]),
  );
  printLine("\n* the paper venue's own. seed:N draws one to six of the others. docs/reference/dialect.md says more.");
}

function listFaults(asJson: boolean): void {
  const rows = Object.entries(FAULTS).map(([name, { point, percent, numbers, does }]) => ({
    name,
    percent,
    of: POINTS[point],
    does,
    numbers,
  }));
  if (asJson) return printJson(rows);
  printTable(
    ['name', 'strikes', 'what it strikes is', 'docs/faults.md'],
    rows.map(({ name, percent, of, does, numbers }) => [name, `${percent}% of ${of}`, does, numbers]),
  );
  printLine(`\nall: each of them but ${UNMIXED.join(', ')}, ${MIXED_PERCENT}% as often. NAME=50% sets a share.`);
}
