import { type Command, InvalidArgumentError } from 'commander';
import type { Decimal } from '../domain/decimal.ts';
import { decimalOf, ZERO } from '../domain/decimal.ts';
import type { BookedEntry } from '../domain/decision.ts';
import { oneReason, whoActs } from './act.ts';
import { askYes } from './ask.ts';
import { signedNumber } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly actual: ReadonlyMap<string, string>;
  readonly reason: string;
  readonly yes?: boolean;
}

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
    .requiredOption('--actual <amounts>', 'what the account has, such as btc=0.5,usd=9200', amounts)
    .option('--reason <text>', 'why, for the journal', oneReason, 'reconciled with the account')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos reconcile --actual btc=0.5,usd=9200')
    .action(reconcile);
}

async function reconcile(options: Options): Promise<void> {
  const { performBooking } = await import('../wiring/bookings.ts');
  const { TREASURY } = await import('../trading/ledger.ts');
  const { settings } = configFrom(options);
  const { differences, unknowns } = await compare(settings.journal.path, options.actual);
  const wrong = differences.filter(({ correction }) => !correction.isZero());
  if (!options.json) show(differences);
  if (unknowns > 0)
    printNote(`${unknowns} orders of unknown outcome may explain a difference: settle them first with kairos journal resolve`);
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

async function compare(path: string, actual: ReadonlyMap<string, string>) {
  const { JournalReader } = await import('../journal/reader.ts');
  const { balancesOf, totalsOf } = await import('../journal/balances.ts');
  const journal = JournalReader.open(path);
  try {
    const totals = totalsOf(balancesOf(journal.ledger()));
    const differences = [...actual].map(([named, text]): Difference => {
      // The ledger's own spelling, so that USD does not become a second currency beside usd.
      const currency = [...totals.keys()].find((known) => known.toLowerCase() === named.toLowerCase()) ?? named;
      const ledger = totals.get(currency) ?? ZERO;
      return { currency, ledger, actual: decimalOf(text), correction: decimalOf(text).minus(ledger) };
    });
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
