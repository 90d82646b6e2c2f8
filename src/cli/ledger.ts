import { type Command, InvalidArgumentError } from 'commander';
import { actor, oneReason } from './act.ts';
import { figure, signedNumber } from './numbers.ts';
import { printJson, printNote, printResult, printTable } from './output.ts';
import { addConfigOptions, addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
}

interface AddOptions extends Options {
  readonly currency: string;
  readonly amount: string;
  readonly reason: string;
  readonly correction?: boolean;
}

/** Adds `ledger` with its subcommands: money by book and currency. */
export function addLedger(ledger: Command): void {
  addJournalOptions(ledger.command('balances'))
    .description('what each book has, and how it came to it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos ledger balances')
    .action(balances);

  addConfigOptions(ledger.command('add'))
    .description('book a deposit (an amount above 0) or a withdrawal (below 0) of the treasury')
    .requiredOption('--currency <code>', 'which currency', currencyCode)
    .requiredOption('--amount <number>', 'how much; --amount=-50 for a withdrawal', signedNumber)
    .requiredOption('--reason <text>', 'your reason', oneReason)
    .option('--correction', 'it is neither: it puts the ledger right')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos ledger add --currency usd --amount 500 --reason "bank transfer"')
    .action(add);
}

async function balances(options: Options): Promise<void> {
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  const { balancesOf, totalsOf } = await import('#adapters/journal/balances.ts');
  const journal = JournalReader.open(configFrom(options).settings.journal.path);
  try {
    const books = balancesOf(journal.ledger());
    const totals = totalsOf(books);
    if (options.json) return printJson({ books, total: Object.fromEntries(totals) });
    if (books.length === 0) return printNote('nothing is booked yet: a run books the opening balances, `kairos ledger add` a movement');
    printTable(
      ['book', 'currency', 'opening', 'fills', 'fees', 'deposits', 'withdrawals', 'corrections', 'financing', 'balance'],
      [
        ...books.map((row) => [
          row.book,
          row.currency,
          ...[row.opening, row.fills, row.fees, row.deposits, row.withdrawals, row.corrections, row.financing, row.balance].map((sum) =>
            figure(sum),
          ),
        ]),
        ...[...totals].map(([currency, balance]) => ['all', currency, '', '', '', '', '', '', '', figure(balance)]),
      ],
    );
  } finally {
    journal.close();
  }
}

async function add(options: AddOptions): Promise<void> {
  const { performBooking } = await import('#daemon/operations/bookings.ts');
  const { TREASURY } = await import('#core/portfolio/ledger.ts');
  const { currency, amount, correction } = options;
  const kind = correction ? 'correction' : amount.startsWith('-') ? 'withdrawal' : 'deposit';
  const entry = { kind, book: TREASURY, currency, amount } as const;
  await performBooking({ entries: [entry], ...actor(options), now: Date.now() }, configFrom(options).settings);
  printResult(entry, `booked: ${kind} of ${amount} ${currency}`, options);
}

function currencyCode(text: string): string {
  if (!/^[A-Za-z0-9]{2,16}$/.test(text)) throw new InvalidArgumentError('It must be a currency code such as usd.');
  return text.toLowerCase();
}
