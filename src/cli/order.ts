import { Argument, type Command } from 'commander';
import type { Decimal } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { Side } from '#domain/quote.ts';
import { addManualOptions, byHand, type ManualOptions } from './manual-requests.ts';
import { positiveNumber } from './numbers.ts';

interface Options extends ManualOptions {
  readonly size?: Decimal;
  readonly value?: Decimal;
}

/** Adds `order`: one manual order, in the book `manual`. */
export function addOrder(command: Command): void {
  addManualOptions(command, 15)
    .argument('<product>', 'its code')
    .addArgument(new Argument('<side>', 'buy or sell').choices(['buy', 'sell']))
    .option('--size <number>', "how much, in base units, floored to the product's step", positiveNumber)
    .option('--value <number>', 'for how much, in quote currency', positiveNumber)
    .addHelpText('after', '\nExample:\n  kairos order btcusd buy --size 0.005 --reason "hedge"')
    .action(order);
}

async function order(product: string, side: Side, options: Options): Promise<void> {
  const { size, value } = options;
  if ((size === undefined) === (value === undefined)) throw new KairosError('USAGE', 'an order needs --size or --value, one of them');
  const amount = size ? { size: size.toString() } : { value: value?.toString() ?? '' };
  await byHand('order', { product, side, ...amount }, options);
}
