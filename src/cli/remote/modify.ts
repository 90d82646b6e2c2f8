import type { Command } from 'commander';
import { configFrom } from '#cli/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { remoteAskOf } from '#domain/remote.ts';
import { type AskingOptions, addAskingOptions, askService } from './asking.ts';
import { exactNumber, gatherField, gatherName, joined } from './fields.ts';

interface Options extends AskingOptions {
  readonly product?: string;
  readonly priceLimit?: number;
  readonly ignoreWarnings?: boolean;
  readonly field?: Readonly<Record<string, unknown>>;
  readonly erase?: readonly string[];
}

/** Adds `remote modify`. */
export function addModify(remote: Command): void {
  addAskingOptions(remote.command('modify'))
    .description('change fields of a strategy at the service; others stay')
    .argument('<strategy>', 'its id')
    .option('--price-limit <number>', 'priceLimit', exactNumber)
    .option('--ignore-warnings', 'ignoreWarnings: act despite warnings')
    .option('--field <name=value>', 'any other field, repeatable', gatherField)
    .option('--erase <name>', 'set a field to nothing, repeatable', gatherName)
    .option('--product <code>', 'its product, for checks; known for strategies created here')
    .addHelpText('after', '\nExample:\n  kairos remote modify ID --price-limit 65000\n  kairos remote modify ID --erase priceLimit')
    .action(modify);
}

async function modify(strategyId: string, options: Options): Promise<void> {
  const erased = options.erase ?? [];
  const given = joined({ priceLimit: options.priceLimit, ignoreWarnings: options.ignoreWarnings }, options.field ?? {});
  // JSON turns unsupported values into null, and null erases: it is sent only for fields that are named to be erased.
  const empty = Object.keys(given).find((name) => given[name] === null);
  if (empty !== undefined) throw new KairosError('USAGE', `${empty} is null, which would erase it: say --erase ${empty} if that is meant`);
  const twice = erased.find((name) => Object.hasOwn(given, name));
  if (twice !== undefined) throw new KairosError('USAGE', `${twice} is both given and erased`);
  const changes = { ...given, ...Object.fromEntries(erased.map((name) => [name, null])) };
  const { productOfStrategy } = await import('#daemon/operations/remote/remote-past.ts');
  const productCode = options.product ?? productOfStrategy(configFrom(options).settings.journal.path, strategyId);
  await askService(remoteAskOf('modify', { strategyId, changes, ...(productCode !== undefined && { productCode }) }), options);
}
