import { type Command, InvalidArgumentError } from 'commander';
import { addManualOptions, byHand, type ManualOptions } from './manual-requests.ts';

interface Options extends ManualOptions {
  readonly pct: number;
  readonly product?: string;
  readonly upToValue?: string;
  readonly end?: true;
}

/** Adds `close`: closes a strategy's position, whatever the strategy says. */
export function addClose(command: Command): void {
  addManualOptions(command, 60)
    .argument('<strategy>', 'its id')
    .option('--pct <number>', 'only this share of them, in percent', percent, 100)
    .option('--product <code>', 'only in this product')
    .option('--up-to-value <number>', 'allow exits above risk.maxExitValue, up to this value', decimal)
    .option('--end', 'end its closing at work; positions stay')
    .addHelpText('after', '\nExample:\n  kairos pause cross-btc && kairos close cross-btc --reason "news at noon"')
    .action((strategy: string, options: Options) => {
      const { pct, product = null, upToValue, end } = options;
      const upTo = { ...(upToValue !== undefined && { upTo: upToValue }), ...(end && { end }) };
      return byHand('close', { strategy, product, pct, ...upTo }, options);
    });
}

function decimal(text: string): string {
  if (/^\d{1,16}(\.\d{1,18})?$/.test(text) && Number(text) > 0) return text;
  throw new InvalidArgumentError('It must be a decimal number above 0.');
}

function percent(text: string): number {
  const value = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= 100) return value;
  throw new InvalidArgumentError('It must be a number above 0 and at most 100.');
}
