import type { Command } from 'commander';
import { printJson, printTable } from './output.ts';
import { withService } from './service.ts';
import { addConfigOptions, type ConfigOptions } from './settings.ts';

interface Options extends ConfigOptions {
  readonly exchange?: string;
  readonly json?: boolean;
}

/** Adds `products`: what may be traded, and the limits of orders (spec 4.3). */
export function addProducts(program: Command): void {
  addConfigOptions(program.command('products'))
    .description('what the service lists, with the limits of orders')
    .option('--exchange <code>', 'only those of one venue; VB has those that are quoted')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos products --exchange VB')
    .action(products);
}

async function products(options: Options): Promise<void> {
  const { wireCode } = await import('../wire/spelling.ts');
  const list = await withService(options, ({ client }) => client.products(options.exchange));
  const rows = list.map((product) => ({
    product: wireCode(product),
    minSize: product.minSize.toString(),
    minNotionalValue: product.minNotionalValue.toString(),
    sizeIncrement: product.sizeIncrement.toString(),
    priceIncrement: product.priceIncrement.toString(),
  }));
  if (options.json) return printJson(rows);
  printTable(
    ['product', 'min size (base)', 'min value (quote)', 'size step', 'price step'],
    rows.map((row) => [row.product, row.minSize, row.minNotionalValue, row.sizeIncrement, row.priceIncrement]),
  );
}
