/** Titles of columns that say what the prices of a row are of, as exports of candles and quotes have them. */
const TITLES = ['product', 'symbol', 'ticker', 'instrument', 'pair', 'currencypair', 'lane'];

/** The places of such columns, those that say most first. */
export const subjectsIn = (plain: readonly string[]): readonly number[] =>
  TITLES.map((title) => plain.indexOf(title)).filter((column) => column >= 0);

/** Finds the row whose prices are of something else than those before it: a lane has prices of one product in one amount. */
export class OneSubject {
  private readonly first = new Map<string, string>();

  /** Takes what a row has in the column of this title. Returns what is wrong where rows before had another. */
  see(title: string, value: string): string | undefined {
    const first = this.first.get(title);
    if (first === undefined) this.first.set(title, value);
    if (first === undefined || first === value) return undefined;
    const others = `column '${title}' has '${value.slice(0, 40)}' here and '${first.slice(0, 40)}' before`;
    return `${others}, and an import has prices of one ${title}: keep the rows of one alone${title === 'product' ? ' (data export --product CODE writes such a file)' : ''}`;
  }
}
