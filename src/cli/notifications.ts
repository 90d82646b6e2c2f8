import { type Command, Option } from 'commander';
import { NOTIFICATION_STATES } from '#domain/notification.ts';
import { oneLine } from '#domain/one-line.ts';
import { type ActOptions, actor, addActOptions } from './act.ts';
import { addLines, type LinesOptions, rowsToPrint, rowsToRead } from './lines-option.ts';
import { printJson, printLine, printNote, printResult, printTable } from './output.ts';
import { addConfigOptions, addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';

/** The status of a notification that the receiver has journaled. */
const RECEIVED = 204;

interface Options extends ConfigOptions {
  readonly json?: boolean;
}

interface ListOptions extends Options, LinesOptions {
  readonly status?: string;
}

/** Adds `notifications` with its subcommands: webhooks of the service. */
export function addNotifications(notifications: Command): void {
  addLines(addJournalOptions(notifications.command('list')), { withCsv: false })
    .description('the last notifications, oldest first')
    .addOption(new Option('--status <status>', 'only of this status').choices(NOTIFICATION_STATES))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos notifications list --status late')
    .action(list);

  addJournalOptions(notifications.command('show'))
    .argument('<id>', 'of the list, such as n123')
    .description('one notification as it was received')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos notifications show n123')
    .action(show);

  addConfigOptions(notifications.command('test'))
    .argument('<url>', 'address that the service is given, as https://your.host/webhooks')
    .description('send a signed notification that moves nothing, and show the answer')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos notifications test https://your.host/webhooks')
    .action(test);

  addActOptions(notifications.command('accept'))
    .argument('<id>', 'of the list, such as n123')
    .description('book a deposit that came too late to be booked by itself')
    .addHelpText('after', '\nExample:\n  kairos notifications accept n123 --reason "the amount is in the account"')
    .action(accept);
}

async function test(url: string, options: Options): Promise<void> {
  const { tryWebhook } = await import('#daemon/operations/webhook-test.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const tried = await tryWebhook(url, { settings: configFrom(options).settings, timers: systemTimers });
  if (options.json) printJson(tried);
  else
    printLine(
      `${tried.status} after ${tried.ms} ms${tried.status === RECEIVED ? ': received, and in the journal' : `: ${oneLine(tried.text)}`}`,
    );
  if (tried.status !== RECEIVED) process.exitCode = 1;
}

async function list(options: ListOptions): Promise<void> {
  const rows = await reading(options, (journal) =>
    rowsToPrint(journal.newest(rowsToRead(options), options.status ?? null), options).toReversed(),
  );
  if (options.json) return printJson(rows);
  if (rows.length === 0)
    return printNote(
      options.status === undefined
        ? 'no notification yet: `webhooks.enabled: true` has the daemon receive them, docs/webhooks.md tells what the service needs'
        : `no notification is ${options.status}: without --status all are listed`,
    );
  printTable(
    ['received', 'id', 'status', 'type', 'transfer'],
    rows.map(({ received_at, id, status, type, transfer_id }) => [received_at, id, status, oneLine(type), transfer_id ?? '']),
  );
}

async function show(id: string, options: Options): Promise<void> {
  const row = await reading(options, (journal) => journal.find(id));
  if (!row) {
    const { KairosError } = await import('#domain/errors.ts');
    throw new KairosError('NOT_FOUND', `there is no notification ${JSON.stringify(id)}: npx kairos notifications list`);
  }
  if (options.json) return printJson(row);
  printTable(
    ['field', 'value'],
    Object.entries(row).map(([field, value]) => [field, oneLine(String(value ?? ''))]),
  );
}

async function accept(id: string, options: ActOptions): Promise<void> {
  const { performAcceptance } = await import('#daemon/operations/acceptance.ts');
  const asked = { id, ...actor(options) };
  await performAcceptance(asked, configFrom(options).settings, Date.now());
  printResult({ ...asked, status: 'booked' }, `accepted and booked: notification ${id}`, options);
}

type Reader = import('#adapters/journal/notifications.ts').NotificationReader;

async function reading<Found>(options: Options, read: (journal: Reader) => Found): Promise<Found> {
  const { NotificationReader } = await import('#adapters/journal/notifications.ts');
  const journal = NotificationReader.open(configFrom(options).settings.journal.path);
  try {
    return read(journal);
  } finally {
    journal.close();
  }
}
