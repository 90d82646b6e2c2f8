import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { BROKER_KEY, BROKER_SECRET } from '#paper-venue/defaults.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, startKairos } from '../support/process.ts';
import { believing, EXAMPLE_CERTIFICATE, RealService } from '../support/real-service.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';
import { lookFor } from '../support/wait-for.ts';
import { allPages, type Block, hasCommands, type Page, stepsOf } from './blocks.ts';
import { PageFolder } from './folder.ts';
import { goesOn as goesOnForEver, kairosCalls } from './parser.ts';
import { unlike } from './shape.ts';

/** Orders that a run leaves behind for the pages that begin after one. */
const ORDERS = 6;

/** Of the lane of `cross-btc`, whose warm-up of 60 `--check-warmup` doubles. */
const QUOTES = 120;

/** The secret of an example. */
const DOCUMENTED_SECRET = Buffer.from('not the secret of any real account').toString('base64');

/** As much of what was printed as a failure shows. */
const TOLD = 1_500;

interface Place {
  readonly block: Block;
  readonly folder: PageFolder;
}

let traded: DaemonFolder;

beforeAll(async () => {
  traded = new DaemonFolder('docs-traded');
  const run = startKairos(['run', '--set', 'venue.quotesPerSecond=40'], { cwd: traded.path });
  await run.until('orders', ({ stdout }) => stdout.split('accepted').length > ORDERS || undefined);
  const [, url = ''] = await run.says(/page +(http:\S+)/);
  await run.until('quotes', async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^kairos_quotes_total\{lane="btcusd@base:0.01"\} (\d+)/m.exec(metrics)?.[1]) > QUOTES || undefined;
  });
  run.signal('SIGINT');
  expect(await run.ended).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await endAll();
  traded.remove();
});

const isRun = ({ marks }: Block): boolean => !marks.some(({ kind }) => kind === 'not run' || kind === 'example');
const doesSomething = (block: Block): boolean => hasCommands(block) || block.marks.some(({ kind }) => kind === 'output of');
const pages = allPages().filter(({ folder, blocks }) => folder !== 'walk' && blocks.some((block) => isRun(block) && doesSomething(block)));

/** How long what is still to come is looked for: at first soon again, then ever more seldom, since each look is a command of its own. */
const LOOK_MS = 250;
const MAX_LOOK_MS = 4_000;
const MAX_MS = 100_000;

/** What is wrong with a command when it is run as the page says, and what it prints compared: what is still to come is waited for. */
async function faultOf(command: string, shown: readonly string[], { block, folder }: Place): Promise<string | undefined> {
  const wanted = block.marks.flatMap((mark) => (mark.kind === 'exit code' ? [mark.code] : []))[0] ?? 0;
  const refused = shown.some((line) => line.startsWith('kairos: '));
  const end = performance.now() + MAX_MS;
  let lookMs = LOOK_MS;
  const later = async (): Promise<void> => {
    await pause(lookMs);
    lookMs = Math.min(lookMs * 2, MAX_LOOK_MS);
  };
  let { code, printed } = await folder.run(command);
  // Some acts have to wait, for an order that is on its way or for a machine that is busy with other things, and say so.
  while (code !== wanted && /try again in a moment|\b(LAG|LANE_WAIT|CLOCK_UNSURE)\b/.test(printed) && performance.now() < end) {
    await later();
    ({ code, printed } = await folder.run(command));
  }
  if (refused ? code === 0 : code !== wanted) return `${block.at}: ${command}: ended with ${code}: ${printed.slice(-TOLD)}`;
  const goesOn = kairosCalls(command).some(goesOnForEver);
  while (folder.isLively && unlike(shown, printed).length > 0 && performance.now() < end) {
    await later();
    printed = goesOn ? await folder.since() : (await folder.run(command)).printed;
  }
  const wrong = unlike(shown, printed);
  return wrong.length === 0 ? undefined : `${block.at}: ${command}: prints nothing like\n${wrong.join('\n')}\nbut\n${printed.slice(-TOLD)}`;
}

/** What is wrong with a block when it is done as the page says, or nothing. */
async function faultsOf(place: Place): Promise<readonly string[]> {
  const { block, folder } = place;
  const faults: (string | undefined)[] = [];
  for (const mark of block.marks) {
    if (mark.kind === 'file') folder.write(mark.name, block.text);
    if (mark.kind === 'output of') faults.push(await faultOf(mark.command, block.text.split('\n'), place));
  }
  const steps = hasCommands(block) ? stepsOf(block.text) : [];
  for (const { command, shown } of steps) faults.push(await faultOf(command, shown, place));
  for (const mark of block.marks) {
    if (mark.kind !== 'until') continue;
    const there = await lookFor(async () => (await folder.since()).includes(mark.printed) || undefined, { withinMs: MAX_MS });
    if (!there) faults.push(`${block.at}: has not printed "${mark.printed}": ${(await folder.since()).slice(-TOLD)}`);
  }
  return faults.filter((fault) => fault !== undefined);
}

async function faultsOfPage(page: Page): Promise<readonly string[]> {
  const folder = await PageFolder.make(page.path.replace(/\W+/g, '-'));
  const elsewhere = page.hasService ? await serviceElsewhere(folder) : undefined;
  try {
    if (page.folder === 'traded') folder.fill(traded.path);
    const faults: string[] = [];
    let begun = page.folder !== 'trading';
    for (const block of page.blocks.filter(isRun)) {
      if (!begun && doesSomething(block)) {
        await folder.trade();
        begun = true;
      }
      faults.push(...(await faultsOf({ block, folder })));
    }
    return [...faults, ...(await folder.close())];
  } finally {
    await folder.close();
    await elsewhere?.close();
    folder.remove();
  }
}

/** Signs as the venue's own secret does, since HMAC fills a key up with zeros, and is none that everybody knows. */
const SECRET = Buffer.concat([Buffer.from(BROKER_SECRET, 'base64'), Buffer.alloc(1)]).toString('base64');

/** A service that a page's commands take for one off this machine. */
async function serviceElsewhere(folder: PageFolder): Promise<{ close(): Promise<void> }> {
  const venue = await startVenue(VENUE_SETTINGS, systemTimers);
  const service = await RealService.before(venue.port);
  folder.write('ca.pem', EXAMPLE_CERTIFICATE);
  folder.reach(service.url, believing(path.join(folder.path, 'ca.pem')), { 'your-broker-key': BROKER_KEY, [DOCUMENTED_SECRET]: SECRET });
  return {
    async close() {
      await service.stop();
      await venue.close();
    },
  };
}

/** Pages at a time: each has a daemon or two, which stop trading when the machine is too busy to be in time. */
const AT_ONCE = 2;
let free = AT_ONCE;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

const tried = async (page: Page): Promise<void> => expect((await inTurn(() => faultsOfPage(page))).join('\n\n')).toBe('');
const named = (which: readonly Page[]) => which.map((page) => [page.path, page] as const);

// One after the other: their service is in this process, which commands of other pages would hold up.
describe('what the pages with a service of their own tell a reader to type does what they say', () => {
  test.each(named(pages.filter(({ hasService }) => hasService)))('%s', (_path, page) => tried(page));
});

describe.concurrent('what the pages tell a reader to type does what they say', () => {
  test.each(named(pages.filter(({ hasService }) => !hasService)))('%s', (_path, page) => tried(page));
});
