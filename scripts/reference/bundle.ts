import { BUNDLE, BUNDLE_TABLES, BUNDLE_VERSION, columnsIn } from '#adapters/bundle/schema.ts';
import { type Page, page, table } from './page.ts';

const INTRO = `\`kairos export\` writes these tables as Parquet files, and all into \`bundle.sqlite\`, alike for live, paper, dry and backtests; one of which a run has nothing is empty. This is version ${BUNDLE_VERSION}. \`columns\` has kind, unit and meaning of each column, \`codes\` the meaning of each code.

Figures are doubles; the [journal](tables.md) has the exact decimals. Times are UTC: timestamps in Parquet, ISO 8601 texts in SQLite. Any value may be null. A unit that is a column, such as \`quote_ccy\`, has the currency in it.`;

/** The tables that `kairos export` writes, from their schema. */
export function bundlePage(): Page {
  const rows = BUNDLE_TABLES.map((name) => {
    const columns = columnsIn(name).map(({ name: column, unit }) =>
      unit === '-' || unit === 'UTC' ? `\`${column}\`` : `\`${column}\` (${unit})`,
    );
    return [`\`${name}\``, BUNDLE[name].rows, columns.join(', ')];
  });
  return page('bundle', 'Tables of an export', `${INTRO}\n\n${table([['table', 'one row each', 'columns (unit)'], ...rows])}`);
}
