import { type Command, InvalidArgumentError } from 'commander';
import type { Decimal } from '#domain/decimal.ts';
import { positiveNumber } from './numbers.ts';
import { printJson, printLine, printTable } from './output.ts';
import type { ConfigOptions } from './settings.ts';

/** The options that give the venue's address, which `venue` itself has as well. */
interface VenueAddress extends ConfigOptions {
  readonly url?: string;
  readonly port?: number;
}

interface AdminOptions {
  readonly url: string;
  readonly json?: boolean;
}

interface DepositOptions extends AdminOptions {
  readonly user: string;
  readonly currency: string;
  readonly amount: Decimal;
  readonly source?: string;
}

interface DepositAnswer {
  readonly transferId: string;
  readonly notificationId: number | null;
}

interface NotificationRow {
  readonly id: number;
  readonly createdAt: string;
  readonly userId: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly nextAtMs: number | null;
  readonly lastResult: string | null;
}

/** Adds the subcommands of `venue` for a running paper venue. */
export function addVenueAdmin(venue: Command, urlOf: (options: VenueAddress) => string): void {
  const url = () => ['--url <address>', 'address of the running venue (default: this machine)', addressOf] as const;
  const merged = <T extends AdminOptions>(run: (options: T) => Promise<void>) => {
    // `venue` itself reads options that it has as well, such as `--json` and `--port`.
    return (_options: T, command: Command): Promise<void> => {
      const options = command.optsWithGlobals<T & VenueAddress>();
      return run({ ...options, url: urlOf(options) });
    };
  };
  venue
    .command('deposit')
    .description('money arrives for a user of the venue, with a webhook')
    .requiredOption('--user <id>', 'user id, such as 1205')
    .requiredOption('--currency <code>', 'currency, such as btc')
    .requiredOption('--amount <number>', 'how much', positiveNumber)
    .option('--source <address>', 'address that sent the transfer')
    .option(...url())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos venue deposit --user 1205 --currency btc --amount 0.5')
    .action(merged(deposit));
  venue
    .command('notifications')
    .description('webhook notifications of the venue, newest first')
    .option(...url())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos venue notifications')
    .action(merged(notifications));
  venue
    .command('revoke')
    .description('end every session of the venue: its tokens are refused from now on')
    .option(...url())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos venue revoke')
    .action(merged(revoke));
}

async function deposit({ url, json, user, currency, amount, source }: DepositOptions): Promise<void> {
  const body = { userId: user, currency, amount: amount.toString(), ...(source !== undefined && { source }) };
  const made = await ask<DepositAnswer>(url, '/venue/deposits', body);
  if (json) return printJson(made);
  printLine(`${amount} ${currency.toLowerCase()} for user ${user}: transfer ${made.transferId}`);
  printLine(
    made.notificationId === null
      ? "no webhook is sent: the user's partner has given no URL (venue.webhooks.url)"
      : `notification ${made.notificationId} is queued; kairos venue notifications shows its state`,
  );
}

async function notifications({ url, json }: AdminOptions): Promise<void> {
  const rows = await ask<readonly NotificationRow[]>(url, '/venue/notifications');
  if (json) return printJson(rows);
  printTable(
    ['id', 'at', 'user', 'type', 'state', 'attempts', 'last', 'next attempt'],
    rows.map((row) => [
      String(row.id),
      row.createdAt,
      row.userId,
      row.type,
      row.state,
      String(row.attempts),
      row.lastResult ?? '',
      row.nextAtMs === null ? '' : new Date(row.nextAtMs).toISOString(),
    ]),
  );
}

async function revoke({ url, json }: AdminOptions): Promise<void> {
  const answer = await ask<{ readonly revoked: number }>(url, '/venue/sessions/revoke', {});
  if (json) return printJson(answer);
  printLine(`${answer.revoked} ${answer.revoked === 1 ? 'session' : 'sessions'} ended`);
}

/** The venue's answer, whose shape is not checked. */
async function ask<T extends object>(url: string, path: string, body?: unknown): Promise<T> {
  const { askVenue } = await import('#daemon/operations/venue-admin.ts');
  return askVenue<T>(url, path, body);
}

function addressOf(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:8090.');
}
