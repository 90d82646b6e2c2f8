import '../../../scripts/ensure-node.mjs';
import { programOf } from '../../support/tools.ts';
import { measured } from './paper-measured.ts';
import { type Figures, type Outcome, simulated } from './paper-simulation.ts';

/**
 * `npm run queue:paper`: measures on this machine what a sweep by queue is made of, and reckons with it how long 100,000 trials take on 1 to
 * 1,000 machines of eight threads, and what saturates.
 */
const TRIALS = 100_000;
const THREADS = 8;
const LINK_BYTES_PER_MS = 125_000;
const ROUND_TRIP_MS = 0.5;
const QUOTES = 1_000_000;

if (programOf('redis-server') === undefined) throw new Error('redis-server is missing: apt-get install redis-server');
const found = await measured();
const figures: Figures = {
  ...found,
  ...{ trials: TRIALS, threads: THREADS, linkBytesPerMs: LINK_BYTES_PER_MS, roundTripMs: ROUND_TRIP_MS },
  quotesBytes: found.bytesAQuote * QUOTES,
};
const shown = (value: number, digits = 3): string => Number(value.toPrecision(digits)).toLocaleString('en');
console.log(`measured here (sma-cross on ${shown(found.quotes, 6)} synthetic quotes, a loopback redis-server):
  a trial                        ${shown(found.trialMs)} ms of processor time
  a job of 200 trials            ${shown(found.jobBytes)} bytes; ${shown(found.jobRedisMs)} ms of redis-server, given, taken and finished
  a result                       ${shown(found.resultBytes)} bytes of signed JSON
  a message of results           ${shown(found.messageRedisMs)} ms of redis-server (50 results)
  the coordinator, a result      ${shown(found.keepMs)} ms to check its signature, and to write and sync it
  quotes                         ${shown(found.bytesAQuote)} bytes each, packed
assumed: ${shown(LINK_BYTES_PER_MS / 125)} Mbit/s out of the coordinator, ${ROUND_TRIP_MS} ms to Redis and back, ${shown(QUOTES, 7)} quotes, trials that take from 0.8 to 1.2 of the mean
`);
const HEAD = [
  'machines',
  'threads',
  'seconds',
  'times one thread',
  'of what it could',
  'coordinator',
  'redis',
  'its link',
  'what holds it up',
];
const COUNTS = [1, 10, 50, 100, 200, 500, 1000];
table('the quotes fetched from the coordinator', figures);
table('the quotes on a shared folder, or in the cache of an earlier sweep', { ...figures, quotesBytes: 0 });
console.log(`
in one thread of this machine: ${shown((TRIALS * found.trialMs) / 3_600_000)} hours
the link gives the quotes to ${shown((LINK_BYTES_PER_MS * 1000) / figures.quotesBytes)} machines a second, one after the other; then the coordinator keeps ${shown(1000 / found.keepMs)} results a second at most: what ${shown(found.trialMs / found.keepMs / THREADS)} machines of ${THREADS} threads play at ${shown(found.trialMs)} ms a trial.`);
process.exit();

function table(title: string, of: Figures): void {
  const rows = COUNTS.map((machines) => row(machines, simulated(of, machines)));
  const widths = HEAD.map((word, n) => Math.max(word.length, ...rows.map((cells) => cells[n]?.length ?? 0)));
  console.log(`\n${TRIALS.toLocaleString('en')} trials, ${title}:`);
  for (const cells of [HEAD, ...rows]) console.log(cells.map((cell, n) => cell.padStart(widths[n] ?? 0)).join('  '));
}

function row(machines: number, { ms, speedUp, share, busy, why }: Outcome): readonly string[] {
  const percent = (part: number): string => `${Math.round(part * 100)} %`;
  return [
    ...[String(machines), String(machines * THREADS), shown(ms / 1000), shown(speedUp), percent(share)],
    ...[percent(busy.coordinator), percent(busy.redis), percent(busy.link), why],
  ];
}
