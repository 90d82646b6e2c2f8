import { type Command, InvalidArgumentError } from 'commander';
import type { Decimal } from '../domain/decimal.ts';
import { decimalOf, ZERO } from '../domain/decimal.ts';
import type { BookedEntry } from '../domain/decision.ts';
import type { Settings } from '../wiring/config/settings.ts';
import { oneReason, whoActs } from './act.ts';
import { askYes } from './ask.ts';
import { signedNumber } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly actual?: ReadonlyMap<string, string>;
  readonly check?: boolean;
  readonly reason: string;
  readonly yes?: boolean;
}

const FOUND_A_DIFFERENCE = 4;

interface Difference {
  readonly currency: string;
  readonly ledger: Decimal;
  readonly actual: Decimal;
  readonly correction: Decimal;
}

/** Adds `reconcile`: holds the ledger against what the account really has, and books the difference. */
export function addReconcile(program: Command): void {
  addConfigOptions(program.command('reconcile'))
    .description('hold the ledger against what the account really has; differences are shown, asked, and booked as corrections')
    .option(
      '--actual <amounts>',
      'what the account has, such as btc=0.5,usd=9200 (default: the service is asked, where it can be)',
      amounts,
    )
    .option('--check', 'show differences and book nothing; exit code 4 where there is one')
    .option('--reason <text>', 'why, for the journal', oneReason, 'reconciled with the account')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  kairos reconcile --actual btc=0.5,usd=9200\n  kairos reconcile --check')
    .action(reconcile);
}

async function reconcile(options: Options): Promise<void> {
  const { performBooking } = await import('../wiring/bookings.ts');
  const { TREASURY } = await import('../trading/ledger.ts');
  const { settings } = configFrom(options);
  const { differences, unknowns } = await compare(settings.journal.path, options.actual ?? (await asked(settings)));
  const wrong = differences.filter(({ correction }) => !correction.isZero());
  if (!options.json) show(differences);
  if (unknowns > 0)
    printNote(`${unknowns} orders of unknown outcome may explain a difference: settle them first with kairos journal resolve`);
  if (options.check) {
    if (wrong.length > 0) process.exitCode = FOUND_A_DIFFERENCE;
    if (options.json) printJson(differences);
    else printLine(wrong.length === 0 ? 'the ledger agrees with the account' : `${wrong.length} differences; nothing was booked`);
    return;
  }
  if (wrong.length > 0) {
    if (!options.yes) await askYes(`Book ${wrong.length === 1 ? 'this correction' : 'these corrections'}, for good?`, 'reconcile');
    const entries = wrong.map(
      ({ currency, correction }): BookedEntry => ({ kind: 'correction', book: TREASURY, currency, amount: correction.toString() }),
    );
    await performBooking({ entries, who: whoActs(), why: options.reason, now: Date.now() }, settings);
  }
  if (options.json) printJson(differences);
  else printLine(wrong.length === 0 ? 'the ledger agrees with the account' : `booked: ${wrong.length} corrections`);
}

/** What the service says, and nothing of what the ledger has and the service leaves out. */
async function asked(settings: Settings): Promise<ReadonlyMap<string, string>> {
  const { accountBalances } = await import('../wiring/account-balances.ts');
  const { systemTimers } = await import('../time/system-timers.ts');
  const told = await accountBalances(settings, systemTimers);
  const named = new Set([...told.keys()].map((currency) => currency.toLowerCase()));
  const left = (await ledgerTotals(settings.journal.path)).keys();
  return new Map([
    ...told,
    ...[...left].filter((currency) => !named.has(currency.toLowerCase())).map((currency) => [currency, '0'] as const),
  ]);
}

async function ledgerTotals(path: string): Promise<ReadonlyMap<string, Decimal>> {
  const { JournalReader } = await import('../journal/reader.ts');
  const { balancesOf, totalsOf } = await import('../journal/balances.ts');
  const journal = JournalReader.open(path);
  try {
    return totalsOf(balancesOf(journal.ledger()));
  } finally {
    journal.close();
  }
}

async function compare(path: string, actual: ReadonlyMap<string, string>) {
  const { JournalReader } = await import('../journal/reader.ts');
  const totals = await ledgerTotals(path);
  const differences = [...actual].map(([named, text]): Difference => {
    // The ledger's own spelling, so that USD does not become a second currency beside usd.
    const currency = [...totals.keys()].find((known) => known.toLowerCase() === named.toLowerCase()) ?? named;
    const ledger = totals.get(currency) ?? ZERO;
    return { currency, ledger, actual: decimalOf(text), correction: decimalOf(text).minus(ledger) };
  });
  const journal = JournalReader.open(path);
  try {
    return { differences, unknowns: journal.openOrders().length };
  } finally {
    journal.close();
  }
}

function show(differences: readonly Difference[]): void {
  printTable(
    ['currency', 'ledger', 'account', 'correction'],
    differences.map(({ currency, ledger, actual, correction }) => [currency, ...[ledger, actual, correction].map(String)]),
  );
}

function amounts(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of text.split(',')) {
    const [, currency, amount] = /^([A-Za-z0-9]{2,16})=(\S+)$/.exec(part.trim()) ?? [];
    if (currency === undefined || amount === undefined || found.has(currency)) {
      throw new InvalidArgumentError('It must be currencies with amounts, each once, such as btc=0.5,usd=9200.');
    }
    found.set(currency, amount === '0' ? amount : signedNumber(amount));
  }
  return found;
}
