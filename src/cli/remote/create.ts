import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { remoteAskOf } from '#domain/remote.ts';
import { type AskingOptions, addAskingOptions, askService } from './asking.ts';
import { exactNumber, gatherField, joined } from './fields.ts';

interface Options extends AskingOptions {
  readonly type: string;
  readonly account: string;
  readonly product: string;
  readonly size?: number;
  readonly amount?: number;
  readonly variant?: string;
  readonly positions?: string;
  readonly execution?: string;
  readonly netProfit?: number;
  readonly priceLimit?: number;
  readonly modelPrice?: boolean;
  readonly spikeProtection?: boolean;
  readonly passive?: boolean;
  readonly ignoreWarnings?: boolean;
  readonly field?: Readonly<Record<string, unknown>>;
  readonly start?: boolean;
}

/** Adds `remote create`. */
export function addCreate(remote: Command): void {
  addAskingOptions(remote.command('create'))
    .description('create a strategy at the service, idle unless --start; sent once and never again')
    .option('--type <name>', 'strategyType', 'AI')
    .requiredOption('--account <id>', 'accountId, of `kairos accounts`')
    .requiredOption('--product <code>', 'productCode, of `kairos products`')
    .option('--size <number>', 'initialBaseCurrencySize', exactNumber)
    .option('--amount <number>', 'initialQuoteCurrencyAmount', exactNumber)
    .option('--variant <name>', 'aiModelVariant (AI: VFM6 unless given)')
    .option('--positions <mode>', 'aiModelPositionMode (AI: LONG unless given)')
    .option('--execution <type>', 'executionType (AI: SMO_MPL unless given)')
    .option('--net-profit <number>', 'desiredNetProfitPercentage', exactNumber)
    .option('--price-limit <number>', 'priceLimit', exactNumber)
    .option('--model-price', 'useInitialModelPrice')
    .option('--spike-protection', 'useSpikeProtection')
    .option('--passive', 'alwaysPassive: post-only')
    .option('--ignore-warnings', 'ignoreWarnings: act despite warnings')
    .option('--field <name=value>', 'any other field, repeatable', gatherField)
    .option('--start', 'start it once it is created')
    .addHelpText('after', '\nExample:\n  kairos remote create --account 70312 --product btcusd --amount 500 --start')
    .action(create);
}

async function create(options: Options): Promise<void> {
  if (options.start && options.json)
    throw new KairosError('USAGE', '--start and --json are two results: create first, then start what it names');
  const task = await askService(remoteAskOf('create', { fields: fieldsOf(options) }), options);
  if (!options.start || !task) return;
  const { createdId } = await import('#adapters/service-client/rest/orchestrator.ts');
  const strategyId = createdId(task.response);
  if (strategyId !== null) await askService(remoteAskOf('start', { strategyId }), options);
}

/** Every field of the AI variant (spec 2.1); for other types only the given fields, since the specification does not show theirs. */
function fieldsOf(options: Options): Readonly<Record<string, unknown>> {
  const isAi = options.type === 'AI';
  const { modelPrice, spikeProtection, passive, ignoreWarnings } = options;
  const typed = {
    strategyType: options.type,
    productCode: options.product,
    accountId: options.account,
    aiModelVariant: options.variant ?? (isAi ? 'VFM6' : undefined),
    aiModelPositionMode: options.positions ?? (isAi ? 'LONG' : undefined),
    executionType: options.execution ?? (isAi ? 'SMO_MPL' : undefined),
    useInitialModelPrice: modelPrice ?? (isAi ? false : undefined),
    initialBaseCurrencySize: options.size,
    initialQuoteCurrencyAmount: options.amount,
    desiredNetProfitPercentage: options.netProfit,
    priceLimit: options.priceLimit,
    useSpikeProtection: spikeProtection ?? (isAi ? false : undefined),
    alwaysPassive: passive ?? (isAi ? false : undefined),
    ignoreWarnings: ignoreWarnings ?? (isAi ? false : undefined),
  };
  return joined(typed, options.field ?? {});
}
