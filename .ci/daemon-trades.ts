// Starts Kairos as a new user does, waits for its first accepted order, stops it, and holds the journal against the
// venue's own book. Ends with a line that says what was seen; exit 1 when something is missing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Decimal } from 'decimal.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const WAIT_MS = 60_000;

interface JournalRow {
  readonly kind: string;
  readonly order_id: string | null;
}

function fail(why: string): void {
  console.error(`the daemon did not trade: ${why}`);
  process.exitCode = 1;
}

/** What `npx kairos journal tail --json` prints, or no rows while there is no journal yet. */
function tail(): readonly JournalRow[] {
  const { status, stdout } = spawnSync('npx', ['kairos', 'journal', 'tail', '-n', '200', '--json'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) return [];
  return JSON.parse(stdout);
}

function sums(file: string, sql: string): ReadonlyMap<string, Decimal> {
  const database = new Database(file, { readonly: true });
  const totals = new Map<string, Decimal>();
  for (const { currency, amount } of database.prepare<[], { currency: string; amount: string }>(sql).all()) {
    totals.set(currency, (totals.get(currency) ?? new Decimal(0)).plus(amount));
  }
  database.close();
  return totals;
}

// A book of its own; the pictures that the tests of the page took stay.
for (const name of existsSync(`${root}/var`) ? readdirSync(`${root}/var`) : []) {
  if (name !== 'pictures') rmSync(`${root}/var/${name}`, { recursive: true, force: true });
}
const started = Date.now();
const daemon = spawn('npm', ['start'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
const exited = new Promise<number | NodeJS.Signals | null>((resolve) => daemon.on('exit', (code, signal) => resolve(code ?? signal)));

let story: readonly JournalRow[] = [];
while (Date.now() - started < WAIT_MS) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const rows = tail();
  const accepted = rows.find(({ kind }) => kind === 'accepted');
  if (!accepted) continue;
  story = rows.filter(({ order_id }) => order_id === accepted.order_id);
  break;
}
const seconds = Math.round((Date.now() - started) / 1000);
if (daemon.pid === undefined) throw new Error('npm start did not start');
process.kill(-daemon.pid, 'SIGINT');
const code = await exited;

const kinds = story.map(({ kind }) => kind);
for (const kind of ['intent', 'approved', 'sent', 'accepted']) {
  if (!kinds.includes(kind)) fail(`no ${kind} row within ${WAIT_MS / 1000} s`);
}
const venue = sums(
  `${root}/var/venue.db`,
  `SELECT b.currency, b.amount FROM balances b WHERE b.user_id = '1205'
   UNION ALL SELECT o.currency, '-' || o.amount FROM openings o WHERE o.user_id = '1205'`,
);
const ledger = sums(`${root}/var/kairos.db`, `SELECT currency, amount FROM ledger WHERE kind IN ('fill', 'fee')`);
for (const [currency, change] of venue) {
  const here = ledger.get(currency) ?? new Decimal(0);
  if (!change.eq(here)) fail(`the venue's ${currency} changed by ${change}, the ledger says ${here}`);
}
const journal = new Database(`${root}/var/kairos.db`, { readonly: true });
const endState = journal.prepare('SELECT end_state FROM runs').pluck().get();
journal.close();
// npm ends itself with the signal that its child has handled; the daemon's own word is the run's end state.
if (endState !== 'stopped' || (code !== 0 && code !== 'SIGINT')) fail(`npm start ended with ${code}, the run as ${endState}`);
if (process.exitCode !== 1) {
  console.log(`first order accepted within ${seconds} s; ${ledger.size} currencies agree with the venue; stopped cleanly`);
}
process.exit();
