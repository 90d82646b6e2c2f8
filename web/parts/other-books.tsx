import type { StateView } from '#server/page/view.ts';
import { close } from '../acts/acts.ts';
import { exact } from '../words/numbers.ts';
import type { OtherBook } from '../words/other-books.ts';
import { ActButton } from './act-button.tsx';
import { Amount } from './amount.tsx';
import { PositionBar } from './position-bar.tsx';

/** What books of no configured strategy hold and have closed today. */
export function OtherBooks({ books }: { readonly books: readonly OtherBook[] }) {
  return (
    <>
      <h3>Other books</h3>
      <ul class="books">
        {books.map(({ id, isGone, held, closedToday }) => (
          <li key={id}>
            <b>{id}</b> {isGone && <small>is configured no more </small>}
            {held.map((one) => (
              <Held key={one.product} held={one} />
            ))}
            {closedToday.map(({ currency, profit, trades }) => (
              <div key={currency}>
                closed today ({trades}) <Amount value={profit} currency={currency} />
              </div>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function Held({
  held: { id, product, position, low, high, entry, unrealised, quoteCcy },
}: {
  readonly held: StateView['otherBooks'][number];
}) {
  return (
    <span>
      holds {exact(position)} of {product}{' '}
      {entry !== null && (
        <>
          at {exact(entry)} <Amount value={unrealised} currency={quoteCcy ?? ''} />{' '}
        </>
      )}
      {low !== high && (
        <>
          <PositionBar held={{ low, high }} /> {exact(low)} to {exact(high)} while an order is open{' '}
        </>
      )}
      {Number(position) !== 0 && <ActButton asked={() => close(id, product, position)} label="Close…" name={`Close ${id}`} />}{' '}
    </span>
  );
}
