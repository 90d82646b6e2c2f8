import { toneOfState } from '#domain/state-tone.ts';
import type { ReplayView } from '#server/page/replay-view.ts';
import { showStory } from '../live/order-shown.ts';
import { Amounts } from '../parts/amount.tsx';
import { Badge } from '../parts/badge.tsx';
import { Table } from '../parts/table.tsx';
import { describeDecision } from '../words/decision-text.ts';
import { exact } from '../words/numbers.ts';
import { momentText } from '../words/times.ts';

const STRATEGIES = [
  { title: 'strategy' },
  { title: 'product' },
  { title: 'state' },
  { title: 'position', isFigure: true },
  { title: 'entry', isFigure: true },
  { title: 'closed in the run', isFigure: true },
  { title: 'decided last' },
];
const ORDERS = [{ title: 'order' }, { title: 'state' }, { title: 'strategy' }, { title: 'what' }, { title: 'since' }];

/** Positions and states of the strategies at the moment, and the open orders. */
export function HeldThen({ view: { strategies, otherBooks, orders } }: { readonly view: ReplayView }) {
  return (
    <>
      <Table
        caption="Strategies at the moment"
        columns={STRATEGIES}
        rows={[
          ...strategies.map(({ id, product, state, position, entry, closed, last }) => ({
            key: `${id} ${product}`,
            cells: [
              id,
              product,
              <Badge key="state" tone={toneOfState(state)}>
                {state}
              </Badge>,
              Number(position) === 0 ? 'flat' : exact(position),
              entry === null ? '\u2013' : exact(roundedPrice(entry)),
              <Amounts key="closed" of={closed} />,
              <span key="last" class="few-lines">
                {last === null ? '\u2013' : `${last.kind.replaceAll('_', ' ')}: ${describeDecision(last).says}`}
              </span>,
            ],
          })),
          ...otherBooks.map(({ id, product, position }) => ({
            key: `${id} ${product}`,
            cells: [id, product, '\u2013', exact(position), '\u2013', '\u2013', '\u2013'],
          })),
        ]}
      />
      {orders.length > 0 && (
        <>
          <h3>Open orders</h3>
          <Table
            caption="Orders that were open"
            columns={ORDERS}
            rows={orders.map(({ order, state, strategy, product, side, size, price, since }) => ({
              key: order,
              alarm: state === 'unknown',
              cells: [
                <button key="order" type="button" class="link" onClick={() => showStory(order)}>
                  {order}
                </button>,
                state,
                strategy,
                `${side} ${exact(size)} ${product} at ${exact(price)}`,
                momentText(since),
              ],
            }))}
          />
        </>
      )}
    </>
  );
}

/** An entry price has more decimal places than a price. */
const roundedPrice = (price: string): string => (price.includes('.') ? String(Number(Number(price).toPrecision(9))) : price);
