import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { userName } from '#assembly/user-name.ts';
import { FaultList, faultsError } from '#config/faults.ts';
import type { FleetEntry } from '#config/fleet-list.ts';
import type { Fleet } from '#daemon/fleet/fleet.ts';
import { messageOf } from '#domain/errors.ts';
import { shortLine } from '#domain/one-line.ts';
import { printFleet } from './fleet-table.ts';
import { wholeNumber } from './numbers.ts';
import { printJson, printLine } from './output.ts';
import { openQueue, queueOption } from './queue-options.ts';
import { addUnreadOptions, type ConfigOptions, configFrom, readySettings } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';

interface Options extends ConfigOptions {
  readonly queue?: string;
  readonly list?: string;
  readonly tokenFile?: string;
  readonly port: number | string;
  readonly once?: boolean;
  readonly halt?: string | true;
  readonly json?: boolean;
}

/** Where the page of a fleet listens unless somebody says otherwise. */
const FLEET_PORT = 8060;
/** What whoever halts on this page must show, kept over restarts. */
const TOKEN_FILE = path.join('var', 'fleet-token');

/** Adds `fleet`: several daemons on one page. */
export function addFleet(command: Command): void {
  addUnreadOptions(command)
    .argument('[daemons...]', 'addresses (127.0.0.1:8080), journals, or folders in which daemons were started')
    .option('--list <file>', 'daemons from a YAML file: `at`, `name`, `tokenFile` or `tokenEnv`')
    .option('--token-file <file>', 'token of daemons named by address (default: KAIROS_OPS_TOKEN)')
    .addOption(queueOption('show the sweeps of this queue as well'))
    .addOption(new Option('--port <number>', 'port of the page; 0 takes a free one').default(FLEET_PORT))
    .option('--once', 'print a table instead of serving a page')
    .option('--json', 'print what is known of each as JSON, once')
    .option('--halt [why]', 'halt all of them, and end with 1 where one is not known to be halted')
    .addHelpText('after', '\nExample:\n  kairos fleet ../btc ../eth 127.0.0.1:8083\n  kairos fleet --list fleet.yaml --once')
    .action(fleet)
    // What is wrong keeps nobody from halting.
    .on('option:halt', () => command.allowUnknownOption());
}

const NONE_NAMED = 'no daemon is named: `kairos fleet 127.0.0.1:8080 ../other`, or `kairos fleet --list FILE`';

async function fleet(words: readonly string[], options: Options): Promise<void> {
  const { Fleet: Several } = await import('#daemon/fleet/fleet.ts');
  const { placeOf, placesOf } = await import('#daemon/fleet/place.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const { halt, queue } = options;
  const isOption = (word: string): boolean => halt !== undefined && word.startsWith('-');
  const daemons = words.filter((word) => !isOption(word));
  // A place that stands where a reason may stand is one of them.
  const { entries, faults } = await entriesOf(typeof halt === 'string' && halt !== '' ? [halt, ...daemons] : daemons, options);
  for (const word of words.filter(isOption)) faults.add(`left out what is unknown: ${shortLine(word)}`);
  const port = portOf(options, faults);
  if (halt !== undefined) {
    const places = entries.flatMap((entry) => {
      try {
        return placeOf(entry, process.cwd());
      } catch (error) {
        if (entry.at !== halt) faults.add(messageOf(error));
        return [];
      }
    });
    if (places.length === 0 && faults.isEmpty) faults.add(NONE_NAMED, 'USAGE');
    // Where none is known, the one of this folder may be meant, as by `kairos halt`.
    const known = places.length > 0 ? places : [placeOf({ name: null, at: '.', token: null }, process.cwd())];
    return haltAll(new Several(known, systemTimers), halt, faults);
  }
  if (faults.isEmpty && entries.length === 0 && queue === undefined) faults.add(NONE_NAMED, 'USAGE');
  if (!faults.isEmpty) throw faultsError(faults.all);
  const named = placesOf(entries, process.cwd());
  const watched = queue === undefined ? null : await watchedQueue(queue, options);
  try {
    const several = new Several(named, systemTimers, watched?.watch ?? null);
    if (options.json) printJson(await several.asked());
    else if (options.once) printFleet(await several.asked());
    else await serve(several, named.length, port);
  } finally {
    await watched?.close();
  }
}

/** Halts all that are known; says of each what came of it, and what is wrong with others. */
async function haltAll(several: Fleet, halt: string | true, faults: FaultList): Promise<void> {
  const why = shortLine(halt === true ? '' : halt) || 'no reason given';
  const { halted } = await several.halt(null, { who: userName(), why });
  for (const { name, failed, journals } of halted) {
    const daemons = journals.length === 0 ? '' : `halted ${journals.join(', ')}`;
    printLine(`${name}: ${[daemons, failed].filter(Boolean).join('; ') || 'halted'}`);
  }
  for (const { line } of faults.all) printLine(line);
  if (!faults.isEmpty || halted.some(({ failed }) => failed !== null)) process.exitCode = 1;
}

/** A queue for the page; its key and password stay in this process. */
async function watchedQueue(url: string, options: Options) {
  await readySettings(options);
  const { queue, key } = await openQueue(url, configFrom(options).settings);
  const [{ QueueWatch }, { queueAddress }, { systemTimers: timers }] = await Promise.all([
    import('#research/workers/queue-watch.ts'),
    import('#adapters/shared-jobs/queue-address.ts'),
    import('#adapters/time/system-timers.ts'),
  ]);
  return { watch: new QueueWatch({ queue, key, place: queueAddress(url).shown, timers }), close: () => queue.close() };
}

function portOf({ port }: Options, faults: FaultList): number {
  try {
    return wholeNumber(0, 65_535)(`${port}`);
  } catch (error) {
    faults.add(`--port ${JSON.stringify(shortLine(`${port}`))}: ${messageOf(error)}`, 'USAGE');
    return FLEET_PORT;
  }
}

/** Those of the command line, and those of the list, as far as they can be read. */
async function entriesOf(daemons: readonly string[], { list, tokenFile }: Options) {
  const { readFleetList, readToken } = await import('#config/fleet-list.ts');
  const from = { cwd: process.cwd(), env: process.env, faults: new FaultList() };
  const { KAIROS_OPS_TOKEN: token, KAIROS_OPS_TOKEN_FILE: inFile } = process.env;
  const file = tokenFile ?? (token ? undefined : inFile);
  const shared = file ? readToken(file, from) : token || null;
  const entries = [
    ...daemons.map((at): FleetEntry => ({ name: null, at, token: shared })),
    ...(list === undefined ? [] : readFleetList(list, from)).map((entry) => ({ ...entry, token: entry.token ?? shared })),
  ];
  return { entries, faults: from.faults };
}

async function serve(target: Fleet, count: number, port: number): Promise<void> {
  const { openFleetPage } = await import('#daemon/fleet/fleet-page.ts');
  const { tokenIn } = await import('#daemon/operations/ops-files.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const stopped = Promise.withResolvers<void>();
  const off = onStopSignal(() => stopped.resolve());
  mkdirSync(path.dirname(TOKEN_FILE), { recursive: true, mode: 0o700 });
  const token = tokenIn(TOKEN_FILE);
  const page = await openFleetPage({ port, token, target, timers: systemTimers });
  // A file that this is written into may be read by others.
  const behind = process.stdout.isTTY === true ? `/#${new URLSearchParams({ token, who: userName() })}` : '';
  const what = [
    ...(count > 0 ? [count === 1 ? 'one daemon' : `${count} daemons`] : []),
    ...(target.hasQueue ? ['the sweeps of a queue'] : []),
  ];
  printLine(`${what.join(' and ')} on ${page.url}${behind}; Ctrl-C stops this page and no daemon`);
  process.send?.('ready');
  await stopped.promise;
  await page.close();
  off();
}
