import { type Command, Option } from 'commander';
import { amountText } from '#domain/money-text.ts';
import { noteArchived } from './archived-orders.ts';
import { withLocalTime } from './instant.ts';
import { addLines, type LinesOptions, rowsToPrint, rowsToRead } from './lines-option.ts';
import { printCsv, printJson, printNote, printTable } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';

interface Options extends ConfigOptions, LinesOptions {
  readonly json?: boolean;
  readonly local?: boolean;
  readonly strategy?: string;
  readonly state?: string;
}

const STATES = ['intent', 'sent', 'accepted', 'rejected', 'unknown', 'expired', 'not_sent'];

/** Adds `orders`: the last orders with their outcomes. */
export function addOrders(command: Command): void {
  addLines(addJournalOptions(command), { withCsv: true })
    .option('--strategy <id>', 'only of this strategy')
    .addOption(new Option('--state <state>', 'only in this state').choices(STATES))
    .option('--local', 'the time of this machine beside UTC')
    .option('--json', 'print JSON')
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .addHelpText('after', '\nExample:\n  kairos orders --state unknown')
    .action(orders);
}

async function orders(options: Options): Promise<void> {
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  const { refuseUnknownStrategy } = await import('#daemon/operations/known-strategy.ts');
  const journal = JournalReader.open((await runningConfigFrom(options)).settings.journal.path);
  try {
    const { strategy, state } = options;
    refuseUnknownStrategy(journal, strategy);
    const rows = rowsToPrint(journal.orders({ limit: rowsToRead(options), strategy, state }), options).toReversed();
    if (options.json || options.csv)
      await noteArchived(
        journal.path,
        rows.map(({ order_id }) => order_id),
      );
    if (options.json) return printJson(rows);
    if (options.csv) {
      return printCsv(
        CSV_COLUMNS,
        rows.map((order) => CSV_COLUMNS.map((name) => order[name])),
      );
    }
    if (rows.length === 0) return printNote(none(options));
    printTable(
      ['intent', 'order', 'strategy', 'product', 'side', 'size', 'price', 'value', 'fee', 'state', 'settled'],
      rows.map((o) => [
        options.local ? withLocalTime(o.intent_at) : o.intent_at,
        o.order_id,
        o.strategy,
        o.product,
        o.side,
        o.size,
        o.price,
        // An archive has the currency of an old order's value.
        o.quote_ccy === null ? o.value : amountText(Number(o.value), o.quote_ccy),
        amountText(Number(o.fee), o.fee_ccy),
        o.state,
        o.settled_at ?? '-',
      ]),
      { spare: ['settled', 'value', 'fee', 'product'] },
    );
  } finally {
    journal.close();
  }
}

const CSV_COLUMNS = [
  ...(['order_id', 'strategy', 'product', 'side', 'size', 'price', 'value', 'fee', 'fee_ccy', 'state'] as const),
  ...(['intent_at', 'sent_at', 'settled_at', 'reason', 'quote_id', 'why'] as const),
];

const none = ({ strategy, state }: Options): string =>
  strategy === undefined && state === undefined
    ? 'no order yet: `kairos why-not` says why'
    : `no order${strategy === undefined ? '' : ` of ${strategy}`}${state === undefined ? '' : ` is ${state}`}${state === 'unknown' ? ': nothing is to be settled' : ''}`;
