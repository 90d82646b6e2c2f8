import type { Command } from 'commander';
import { printJson, printTable } from './output.ts';
import { withService } from './service.ts';
import { addConfigOptions, type ConfigOptions } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
}

/** Adds `accounts`: the exchange accounts of the signed-in user (spec 4.2). */
export function addAccounts(command: Command): void {
  addConfigOptions(command).option('--json', 'print JSON').addHelpText('after', '\nExample:\n  kairos accounts --json').action(accounts);
}

async function accounts(options: Options): Promise<void> {
  const list = await withService(options, ({ client }) => client.accounts());
  if (options.json) return printJson(list);
  const yes = (flag: boolean): string => (flag ? 'yes' : 'no');
  printTable(
    ['account', 'name', 'exchange', 'type', 'main', 'spot', 'futures'],
    list.map((account) => [
      account.id,
      account.name,
      account.exchangeCode,
      account.accountType,
      yes(account.isMain),
      yes(account.spotActive),
      yes(account.futuresActive),
    ]),
  );
}
