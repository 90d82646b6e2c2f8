import type { Command } from 'commander';
import { askDigits } from '#cli/ask.ts';
import { addLines, type LinesOptions, rowsToPrint, rowsToRead } from '#cli/lines-option.ts';
import { printJson, printLine, printNote, printTable } from '#cli/output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from '#cli/settings.ts';
import { KairosError } from '#domain/errors.ts';
import type { RemoteStrategy } from '#domain/remote.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
}

type ListOptions = Options & LinesOptions;

/** Adds the commands that change nothing: the service's strategies, past requests, and the sign-in. */
export function addInspections(remote: Command): void {
  addConfigOptions(remote.command('find'))
    .description('the strategies at the service, as it reads them back')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos remote find')
    .action(find);
  addLines(addConfigOptions(remote.command('actions')), { withCsv: false })
    .description("requests about the service's strategies, with their outcomes")
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos remote actions')
    .action(actions);
  addConfigOptions(remote.command('sign-in'))
    .description('sign in at the service, and keep the session in service.refreshTokenFile')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos remote sign-in --set service.refreshTokenFile=var/session')
    .action(signIn);
}

async function remoteOptions(options: Options) {
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  return { config: configFrom(options), timers: systemTimers, ...(process.stdin.isTTY && { askDigits }) };
}

async function find(options: Options): Promise<void> {
  const { openRemote } = await import('#daemon/operations/remote/remote.ts');
  const service = await openRemote(await remoteOptions(options));
  try {
    const unread: string[] = [];
    const found = await service.client.strategies.find((why) => unread.push(why));
    if (found === null)
      throw new KairosError(
        'SERVICE_REFUSED',
        'this service does not read its strategies back; `kairos remote actions` shows what was asked',
      );
    if (options.json) printJson(found);
    else if (found.length > 0) printStrategies(found);
    else if (unread.length === 0) printNote('the service has no strategy of yours: `kairos remote create` makes one');
    if (unread.length > 0) throw new KairosError('SERVICE_UNREADABLE', `not every strategy could be read: ${unread.join('; ')}`);
  } finally {
    await service.close();
  }
}

function printStrategies(found: readonly RemoteStrategy[]): void {
  printTable(
    ['strategy', 'version', 'changed', 'state'],
    found.map(({ strategyId, version, eventTime, state }) => [
      strategyId,
      String(version ?? ''),
      eventTime ?? '',
      Object.entries(state)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    ]),
  );
}

async function actions(options: ListOptions): Promise<void> {
  const { remoteActions } = await import('#daemon/operations/remote/remote-past.ts');
  const newest = remoteActions(configFrom(options).settings.journal.path, rowsToRead(options)).toReversed();
  const rows = rowsToPrint(newest, options).toReversed();
  if (options.json) return printJson(rows);
  if (rows.length === 0) return printNote('nothing was asked of the service yet: `kairos remote --help` lists what can be');
  printTable(
    ['asked at', 'action', 'what', 'arguments', 'status', 'answer'],
    rows.map((row) => [row.asked_at, row.action_id, row.action, row.arguments.slice(0, 80), row.status, String(row.http_status ?? '-')]),
  );
}

async function signIn(options: Options): Promise<void> {
  const { openRemote } = await import('#daemon/operations/remote/remote.ts');
  const asked = await remoteOptions(options);
  const service = await openRemote(asked);
  try {
    const { session } = service.client;
    await session.current();
    const { good, lapsesMs } = session.state;
    if (!good) throw new KairosError('SERVICE_REFUSED', 'there is no token: set KAIROS_TOKEN, or KAIROS_USERNAME and KAIROS_PASSWORD');
    // A given token proves nothing until the service has accepted it.
    const accounts = await service.client.accounts();
    const until = Number.isFinite(lapsesMs) ? new Date(lapsesMs).toISOString() : null;
    const kept = asked.config.settings.service.refreshTokenFile;
    if (options.json) return printJson({ until, accounts: accounts.length, kept });
    printLine(`signed in at ${service.client.origin} until ${until ?? 'the service says otherwise'}; ${accounts.length} accounts`);
    if (kept !== null) printLine(`the session is kept in ${kept}`);
  } finally {
    await service.close();
  }
}
