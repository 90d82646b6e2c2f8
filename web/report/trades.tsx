import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { durationText } from '#domain/duration-text.ts';
import { priceText, shareText } from '#domain/money-text.ts';
import type { RunData, TradeData } from '#report/page/page-data.ts';
import { useStore } from '../live/store.ts';
import { amount, fixed, money } from '../words/numbers.ts';
import { shownOrder, shownTrade } from './chosen.ts';
import { oneCurrency, secondText, shownWords, tradeOf } from './series.ts';

const PAGE = 10;
const MORE = 100;

interface Column {
  readonly title: string;
  readonly words: (row: TradeData) => string;
  /** Figures stand under each other; signed ones are coloured. */
  readonly kind: 'text' | 'figure' | 'signed';
}

const decimalsOf = (figure: number): number => priceText(figure).split('.')[1]?.length ?? 0;

/** Decimal places of all prices of a product, so that they stand under each other. */
function pricePlaces(trades: readonly TradeData[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [, , product, , , entry, exit] of trades)
    places.set(product, Math.max(places.get(product) ?? 0, decimalsOf(entry), decimalsOf(exit)));
  return places;
}

/** The heads and cells of money: the currency stands in the head, or where there are several behind each amount. */
function moneyColumn(title: string, place: 8 | 9, run: RunData): Pick<Column, 'title' | 'words'> {
  const one = oneCurrency(run);
  return one === undefined
    ? { title, words: (row) => amount(row[place], run.currencies[row[2]]) }
    : { title: `${title} ${one}`, words: (row) => money(row[place], one) };
}

const columnsOf = (run: RunData, places: ReadonlyMap<string, number>): readonly Column[] => [
  { title: 'closed', words: (row) => secondText(row[0]), kind: 'text' },
  { title: 'strategy', words: (row) => row[1], kind: 'text' },
  { title: 'product', words: (row) => row[2], kind: 'text' },
  { title: 'side', words: (row) => row[3], kind: 'text' },
  { title: 'size', words: (row) => String(row[4]), kind: 'figure' },
  { title: 'entry', words: (row) => fixed(row[5], places.get(row[2]) ?? 0), kind: 'figure' },
  { title: 'exit', words: (row) => fixed(row[6], places.get(row[2]) ?? 0), kind: 'figure' },
  { title: 'held', words: (row) => durationText(row[7]), kind: 'figure' },
  { ...moneyColumn('fees', 8, run), kind: 'figure' },
  { ...moneyColumn('profit', 9, run), kind: 'signed' },
  { title: 'return', words: (row) => (row[10] === null ? '-' : shareText(row[10])), kind: 'signed' },
  { title: 'exit reason', words: (row) => row[11], kind: 'text' },
  { title: 'orders', words: (row) => row[12], kind: 'text' },
];

interface Order {
  readonly column: number;
  readonly up: boolean;
}

function sorted(rows: readonly TradeData[], { column, up }: Order): readonly TradeData[] {
  const compare = (a: TradeData, b: TradeData): number => {
    const [x, y] = [a[column], b[column]];
    if (typeof x === 'string' && typeof y === 'string') return x < y ? -1 : x > y ? 1 : 0;
    return (typeof x === 'number' ? x : Number.NEGATIVE_INFINITY) - (typeof y === 'number' ? y : Number.NEGATIVE_INFINITY);
  };
  return rows.toSorted((a, b) => (up ? compare(a, b) : compare(b, a)));
}

/** What a filter looks into: names, side, reason and orders. */
const textOf = (row: TradeData): string => `${row[1]} ${row[2]} ${row[3]} ${row[11]} ${row[12]}`.toLowerCase();

/** The round trips: sorted by a click on a heading, filtered by words; each leads to its place on a chart. */
export function Trades({ run, more: leftOut }: { readonly run: RunData; readonly more: string }) {
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>({ column: 0, up: false });
  const [most, setMost] = useState(PAGE);
  const wanted = useStore(shownOrder);
  const body = useRef<HTMLTableSectionElement>(null);
  const columns = useMemo(() => columnsOf(run, pricePlaces(run.trades)), []);
  const drawn = new Set(run.prices.map(({ product }) => product));
  const chosen = useMemo(
    () => (wanted === null ? undefined : run.trades.find((row) => row[12].split(' ').includes(wanted.order))),
    [wanted],
  );
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = useMemo(
    () =>
      sorted(
        run.trades.filter((row) => words.every((word) => textOf(row).includes(word))),
        order,
      ),
    [filter, order],
  );

  useEffect(() => {
    if (!chosen) return;
    setFilter('');
    setMost((now) => Math.max(now, sorted(run.trades, order).indexOf(chosen) + 1));
  }, [wanted]);
  useEffect(() => {
    const row = body.current?.querySelector('.chosen-row');
    if (!row || !chosen || !found.slice(0, most).includes(chosen)) return;
    row.scrollIntoView({ block: 'center', behavior: 'instant' });
    row.querySelector('button')?.focus({ preventScroll: true });
  }, [wanted, most, filter]);

  const sortBy = (column: number): void =>
    setOrder({ column, up: order.column === column ? !order.up : typeof run.trades[0]?.[column] !== 'number' });
  return (
    <>
      <p>
        <label>
          filter{' '}
          <input
            id="filter"
            type="search"
            placeholder="product, strategy, side, reason"
            value={filter}
            onInput={({ currentTarget }) => {
              setMost(PAGE);
              setFilter(currentTarget.value);
            }}
          />
        </label>{' '}
        <span id="shown" aria-live="polite">
          {shownWords(found, run)}
        </span>
        {leftOut}
      </p>
      <div class="scroll">
        <table id="trade-table">
          <thead>
            <tr>
              {columns.map(({ title, kind }, n) => (
                <th
                  key={title}
                  scope="col"
                  class={kind === 'text' ? undefined : 'n'}
                  aria-sort={n !== order.column ? 'none' : order.up ? 'ascending' : 'descending'}
                >
                  <button type="button" onClick={() => sortBy(n)}>
                    {title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {found.slice(0, most).map((row) => (
              <tr key={row[12]} class={row === chosen ? 'chosen-row' : undefined}>
                {columns.map(({ title, words: wordsOf, kind }, n) => (
                  <td key={title} class={classOf(kind, row[n])}>
                    {n === 0 && drawn.has(row[2]) ? (
                      <button type="button" class="link" title="show it on the chart" onClick={() => shownTrade.set(tradeOf(row))}>
                        {wordsOf(row)}
                      </button>
                    ) : (
                      wordsOf(row)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > most && (
        <button id="more" type="button" class="plain" onClick={() => setMost(most + MORE)}>
          show more
        </button>
      )}
    </>
  );
}

function classOf(kind: Column['kind'], value: TradeData[number] | undefined): string | undefined {
  if (kind === 'text') return undefined;
  const isSigned = kind === 'signed' && typeof value === 'number' && value !== 0;
  return isSigned ? `n ${value < 0 ? 'down' : 'up'}` : 'n';
}
