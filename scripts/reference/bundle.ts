import { BUNDLE, BUNDLE_TABLES, BUNDLE_VERSION, columnsIn } from '#adapters/export/schema.ts';
import { namesBlock, type Page, page } from './page.ts';

const INTRO = `\`kairos export\` writes these tables as Parquet files, and all into \`bundle.sqlite\`, alike for live, paper, dry and backtests. This is version ${BUNDLE_VERSION}. \`columns\` has kind, unit and meaning of each column, \`codes\` the meaning of each code. Brackets have units.

Figures are doubles; the [journal](tables.md) has the exact decimals. Times are UTC: timestamps in Parquet, ISO 8601 texts in SQLite. Any value may be null. A unit that is a column, such as \`quote_ccy\`, has the currency in it.`;

/** The tables that `kairos export` writes, from their schema. */
export function bundlePage(): Page {
  const parts = BUNDLE_TABLES.map((name) => {
    const columns = columnsIn(name).map(({ name: column, unit }) => (unit === '-' || unit === 'UTC' ? column : `${column} (${unit})`));
    return `## ${name}\n\nOne row each: ${BUNDLE[name].rows}.\n\n${namesBlock(columns)}`;
  });
  return page('bundle', 'Tables of an export', [INTRO, ...parts].join('\n\n'));
}
