import type { Command } from 'commander';
import type { Settings } from '#config/settings.ts';
import type { BalanceDifference } from '#daemon/operations/position-corrections.ts';
import type { BookedByPerson } from '#domain/decision.ts';
import { actor, oneReason } from './act.ts';
import { amounts } from './amounts.ts';
import { askYes } from './ask.ts';
import { printJson, printLine, printNote, printResult, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly actual?: ReadonlyMap<string, string>;
  readonly check?: boolean;
  readonly reason: string;
  readonly yes?: boolean;
}

const FOUND_A_DIFFERENCE = 4;

/** Adds `reconcile`: compares the ledger with the account and books the difference. */
export function addReconcile(command: Command): void {
  addConfigOptions(command)
    .option('--actual <amounts>', "the account's money, such as btc=0.5,usd=9200 (default: asked of the service)", amounts)
    .option('--check', 'only show differences; exit code 4 if there is one, 3 while orders are in flight')
    .option('--reason <text>', 'your reason', oneReason, 'reconciled with the account')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  kairos reconcile --actual btc=0.5,usd=9200\n  kairos reconcile --check')
    .action(reconcile);
}

async function reconcile(options: Options): Promise<void> {
  const { performBooking } = await import('#daemon/operations/bookings.ts');
  const { settings } = configFrom(options);
  const { differences, corrections, unknowns } = await compare(settings, options.actual);
  const wrong = differences.filter(({ correction }) => !correction.isZero());
  if (!options.json) show(differences);
  if (unknowns > 0)
    printNote(
      `${unknowns} ${unknowns === 1 ? 'order' : 'orders'} of unknown outcome may explain a difference: settle them first with kairos journal resolve`,
    );
  if (options.check) {
    if (wrong.length > 0) process.exitCode = FOUND_A_DIFFERENCE;
    const told = wrong.length === 0 ? 'the ledger agrees with the account' : `${wrong.length} differences; nothing was booked`;
    return printResult(differences, told, options);
  }
  if (wrong.length > 0) {
    if (!options.yes) await askYes(`Book ${wrong.length === 1 ? 'this correction' : 'these corrections'}, for good?`, 'reconcile');
    await performBooking({ entries: corrections, ...actor(options), now: Date.now() }, settings);
  }
  if (options.json) return printJson(differences);
  const { length } = corrections;
  printLine(length === 0 ? 'the ledger agrees with the account' : `booked: ${length} ${length === 1 ? 'correction' : 'corrections'}`);
  for (const { book, product, amount, currency } of corrections) {
    if (product !== undefined) printLine(`${book} ${product}: ${amount} ${currency}, so that the position is what the account has`);
  }
  const ofNoPosition = corrections.filter(({ product }) => product === undefined);
  if (ofNoPosition.length > 0) await showPositionsLeft(ofNoPosition, settings.journal.path);
}

/** A correction of no position in a currency in which positions are held: one of them may be what the account has not. */
async function showPositionsLeft(corrections: readonly BookedByPerson[], journalPath: string): Promise<void> {
  const { positionsHeld } = await import('#daemon/operations/account-balances.ts');
  const positions = positionsHeld(journalPath);
  for (const { book, amount, currency } of corrections) {
    const held = positions.filter((position) => position.currency === currency && Number(position.size) !== 0);
    if (held.length === 0) continue;
    const words = held.map((position) => `${position.book} holds ${position.size} ${currency} in ${position.product}`);
    printLine(`${book}: ${amount} ${currency}; positions stay as the journal has them: ${words.join(', ')}`);
  }
}

async function compare(settings: Settings, actual: ReadonlyMap<string, string> | undefined) {
  const { compareAtRest } = await import('#daemon/operations/account-balances.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  return compareAtRest(settings, actual, systemTimers);
}

function show(differences: readonly BalanceDifference[]): void {
  printTable(
    ['currency', 'ledger', 'account', 'correction'],
    differences.map(({ currency, ledger, actual, correction }) => [currency, ...[ledger, actual, correction].map(String)]),
  );
}
