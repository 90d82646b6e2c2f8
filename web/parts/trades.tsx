import { useState } from 'preact/hooks';
import { durationText } from '#domain/duration-text.ts';
import type { TradeSort, TradesView, TradeView } from '#server/page/history-view.ts';
import { useFillCount } from '../live/fill-count.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { showTrade } from '../live/market.ts';
import { type LastState, model } from '../live/model.ts';
import { showStory } from '../live/order-shown.ts';
import { useStore } from '../live/store.ts';
import { amount, direction, exact, fixed, signedShare } from '../words/numbers.ts';
import { clockText } from '../words/times.ts';
import { Amount } from './amount.tsx';
import { Nothing, Section } from './section.tsx';

/** Number of round trips that are shown; the button at the end adds more. */
const PAGE = 8;
const MAX_SHOWN = 1_000;

interface Column {
  readonly title: string;
  /** What a click on the heading sorts by; null: it does not sort. */
  readonly sort: TradeSort | null;
  /** `figure` is right-aligned; `roomy` is shown only if there is room. */
  readonly look: string;
}

const COLUMNS: readonly Column[] = [
  { title: 'closed', sort: 'closed', look: '' },
  { title: 'strategy', sort: 'strategy', look: '' },
  { title: 'product', sort: 'product', look: '' },
  { title: 'side', sort: 'side', look: 'roomy' },
  { title: 'size', sort: 'size', look: 'figure roomy' },
  { title: 'entry', sort: null, look: 'figure roomy' },
  { title: 'exit', sort: null, look: 'figure roomy' },
  { title: 'held', sort: 'held', look: 'figure' },
  { title: 'fees', sort: 'fees', look: 'figure roomy' },
  { title: 'profit', sort: 'profit', look: 'figure' },
  { title: 'return', sort: 'return', look: 'figure roomy' },
  { title: 'why in, why out', sort: null, look: 'whys' },
];

interface Filter {
  readonly strategy: string;
  readonly product: string;
  readonly outcome: '' | 'won' | 'lost';
}

/** Closed round trips of all runs: sorted by a click on a heading, filtered, exported; a click on one shows it on the chart. */
export function Trades({ told }: { readonly told: LastState }) {
  const [filter, setFilter] = useState<Filter>({ strategy: '', product: '', outcome: '' });
  const [sort, setSort] = useState<{ readonly by: TradeSort; readonly isUpwards: boolean }>({ by: 'closed', isUpwards: false });
  const [shown, setShown] = useState(PAGE);
  // Without a filter the sums are of the same look as what each strategy closed today.
  const past = useStore(model.past);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const query = queryOf(filter, sort);
  const found = useLookedUp<TradesView>(`/api/history/trades?${query}&limit=${Math.min(shown, MAX_SHOWN)}`, useFillCount(told));
  const view = found?.kind === 'done' ? found.body : null;
  const change = (next: Partial<Filter>): void => {
    setFilter({ ...filter, ...next });
    setShown(PAGE);
  };
  const { strategies, lanes } = told.state;
  return (
    <Section
      id="trades"
      title="Trades"
      tools={
        <a class="act" href={`/api/history/trades.csv?${query}`} download="trades.csv">
          CSV
        </a>
      }
    >
      <div class="filters">
        <Pick
          label="strategy"
          value={filter.strategy}
          choices={strategies.map(({ id }) => id)}
          onPick={(strategy) => change({ strategy })}
        />
        <Pick
          label="product"
          value={filter.product}
          choices={[...new Set(lanes.map(({ product }) => product))]}
          onPick={(product) => change({ product })}
        />
        <Pick
          label="outcome"
          value={filter.outcome}
          choices={['won', 'lost']}
          onPick={(outcome) => change({ outcome: outcome === 'won' || outcome === 'lost' ? outcome : '' })}
        />
        <Sums sums={isFiltered || past === null ? (view?.sums ?? []) : past.closed} />
      </div>
      {found !== null && found.kind !== 'done' && <p role="alert">{found.why}</p>}
      {view?.total === 0 ? (
        <Nothing>A round trip appears here once a position, or a part of one, was closed.</Nothing>
      ) : (
        <TradeTable trades={view?.trades ?? []} told={told} sort={sort} onSort={setSort} />
      )}
      {view !== null && view.total > shown && shown < MAX_SHOWN && (
        <button type="button" class="act" onClick={() => setShown(shown + 5 * PAGE)}>
          More of {view.total}
        </button>
      )}
    </Section>
  );
}

function queryOf(
  { strategy, product, outcome }: Filter,
  { by, isUpwards }: { readonly by: TradeSort; readonly isUpwards: boolean },
): string {
  const said = Object.entries({ strategy, product, outcome }).filter(([, value]) => value !== '');
  return new URLSearchParams([['sort', by], ['order', isUpwards ? 'asc' : 'desc'], ...said]).toString();
}

function Pick({
  label,
  value,
  choices,
  onPick,
}: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly onPick: (value: string) => void;
}) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        <option value="">all</option>
        {choices.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

const Sums = ({ sums }: { readonly sums: TradesView['sums'] }) => (
  <span class="sums">
    {sums.map(({ currency, trades, won, profit, fees }) => (
      <span key={currency}>
        {won} of {trades} won, <Amount value={profit} currency={currency} /> after {amount(fees, currency)} of fees
      </span>
    ))}
  </span>
);

function TradeTable({
  trades,
  told,
  sort,
  onSort,
}: {
  readonly trades: readonly TradeView[];
  readonly told: LastState;
  readonly sort: { readonly by: TradeSort; readonly isUpwards: boolean };
  readonly onSort: (sort: { readonly by: TradeSort; readonly isUpwards: boolean }) => void;
}) {
  return (
    <table class="trades">
      <caption class="unseen">Trades</caption>
      <thead>
        <tr>
          {COLUMNS.map(({ title, sort: by, look }) => (
            <th
              key={title}
              scope="col"
              class={look}
              aria-sort={by === null || by !== sort.by ? undefined : sort.isUpwards ? 'ascending' : 'descending'}
            >
              {by === null ? (
                title
              ) : (
                <button type="button" onClick={() => onSort({ by, isUpwards: by === sort.by && !sort.isUpwards })}>
                  {title}
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {trades.map((trade) => (
          <TradeRow
            key={`${trade.entryOrder} ${trade.exitOrder} ${trade.size}`}
            trade={trade}
            told={told}
            places={placesOf(trades, trade.product)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Decimal places of the prices of a product in the list, so that they stand below each other. */
const placesOf = (trades: readonly TradeView[], product: string): number =>
  Math.max(
    ...trades
      .filter((trade) => trade.product === product)
      .flatMap(({ entryPrice, exitPrice }) => [entryPrice, exitPrice].map((price) => price.split('.')[1]?.length ?? 0)),
  );

function TradeRow({ trade, told, places }: { readonly trade: TradeView; readonly told: LastState; readonly places: number }) {
  const { strategy, product, side, size, entryPrice, exitPrice, closedAt, heldMs, fees, profit, currency, returnPct } = trade;
  const closed = new Date(closedAt).toISOString();
  return (
    <tr>
      <td>
        <button type="button" class="link" title="Show the trade on the chart" onClick={() => showTrade(product, trade)}>
          <time dateTime={closed}>{clockText(closed, Date.parse(told.state.at))}</time>
        </button>
      </td>
      <td>{strategy}</td>
      <td>{product}</td>
      <td class="roomy">{side}</td>
      <td class="figure roomy">{exact(size)}</td>
      <td class="figure roomy">{fixed(entryPrice, places)}</td>
      <td class="figure roomy">{fixed(exitPrice, places)}</td>
      <td class="figure">{durationText(heldMs)}</td>
      <td class="figure roomy">{amount(fees, currency)}</td>
      <td class="figure">
        <Amount value={profit} currency={currency} />
      </td>
      <td class={`figure roomy ${direction(returnPct)}`}>{signedShare(returnPct / 100)}</td>
      <td class="whys">
        <Why order={trade.entryOrder} why={trade.whyIn} /> <Why order={trade.exitOrder} why={trade.whyOut} />
      </td>
    </tr>
  );
}

const Why = ({ order, why }: { readonly order: string; readonly why: string }) => (
  <span class="why few-lines">
    <button type="button" class="link" aria-haspopup="dialog" aria-label={`Story of order ${order}`} onClick={() => showStory(order)}>
      {order}
    </button>{' '}
    {why}
  </span>
);
