import type { Command } from 'commander';
import { printJson, printTable } from './output.ts';
import { withService } from './service.ts';
import { addConfigOptions, type ConfigOptions } from './settings.ts';

interface Options extends ConfigOptions {
  readonly all?: boolean;
  readonly exchange?: string;
  readonly json?: boolean;
}

/** Adds `products`: the tradable products with their limits (spec 4.3). */
export function addProducts(command: Command): void {
  addConfigOptions(command)
    .option('--all', 'those as well that a strategy cannot trade, each with why')
    .option('--exchange <code>', 'those of one venue; VB has those that are quoted')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos products --all')
    .action(products);
}

async function products(options: Options): Promise<void> {
  const { wireCode } = await import('#adapters/service-client/spelling.ts');
  const { quotedProducts } = await import('#assembly/service.ts');
  const { list, quoted } = await withService(options, async ({ client }) => {
    const quoted = await quotedProducts(client);
    const list = options.exchange !== undefined ? await client.products(options.exchange) : options.all ? await client.products() : quoted;
    return { list, quoted: new Set(quoted.map(({ code }) => code)) };
  });
  const rows = list.map((product) => ({
    product: wireCode(product),
    minSize: product.minSize.toString(),
    minNotionalValue: product.minNotionalValue.toString(),
    sizeIncrement: product.sizeIncrement.toString(),
    priceIncrement: product.priceIncrement.toString(),
    tradable: quoted.has(product.code),
    why: quoted.has(product.code) ? null : NOT_QUOTED,
  }));
  if (options.json) return printJson(rows);
  const shown = rows.some(({ tradable }) => !tradable) ? ['strategies may trade it'] : [];
  printTable(
    ['product', 'min size (base)', 'min value (quote)', 'size step', 'price step', ...shown],
    rows.map((row) => {
      const limits = [row.product, row.minSize, row.minNotionalValue, row.sizeIncrement, row.priceIncrement];
      return shown.length === 0 ? limits : [...limits, row.why === null ? 'yes' : `no: ${row.why}`];
    }),
  );
}

const NOT_QUOTED = 'the feed quotes products of VB alone; kairos remote can trade it for an account of its exchange';
