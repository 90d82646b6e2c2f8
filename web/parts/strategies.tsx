import { useState } from 'preact/hooks';
import type { StrategyView } from '#server/page/view.ts';
import { type LastState, model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { otherBooksOf } from '../words/other-books.ts';
import { soFarOf } from '../words/so-far.ts';
import { OtherBooks } from './other-books.tsx';
import { Nothing } from './section.tsx';
import { StrategyRow } from './strategy-row.tsx';

const COLUMNS = ['state', 'position', 'unrealised', 'closed today', 'curve', 'in all'];

/** True if the strategy is idle and flat, so that it can be listed last. */
const isResting = ({ disabled, legs, ...own }: StrategyView): boolean =>
  disabled && [own, ...legs].every(({ low, high }) => Number(low) === 0 && Number(high) === 0);

/** A row for each strategy, and one for each other book that holds something or closed something today. */
export function Strategies({ told }: { readonly told: LastState }) {
  const past = useStore(model.past);
  const [showsResting, setResting] = useState(false);
  const { strategies } = told.state;
  const others = otherBooksOf(told.state, past);
  const resting = strategies.filter(isResting);
  const shown = strategies.filter((one) => !isResting(one));
  const row = (strategy: StrategyView) => (
    <StrategyRow key={strategy.id} strategy={strategy} soFar={soFarOf(strategy.id, past)} told={told} />
  );
  return (
    <section id="strategies" aria-labelledby="strategies-title" tabIndex={-1}>
      <div class="strategy-head">
        <h2 id="strategies-title">Strategies</h2>
        {shown.length > 0 &&
          COLUMNS.map((title) => (
            <span key={title} aria-hidden="true">
              {title}
            </span>
          ))}
      </div>
      {strategies.length === 0 && <Nothing>No strategy is configured: each one of strategies[] has a row here.</Nothing>}
      <div class="strategy-rows">{shown.map(row)}</div>
      {resting.length > 0 && (
        <details onToggle={({ currentTarget }) => setResting(currentTarget.open)}>
          <summary>
            {resting.length} disabled {resting.length === 1 ? 'strategy that holds' : 'strategies that hold'} nothing
          </summary>
          {showsResting && <div class="strategy-rows">{resting.map(row)}</div>}
        </details>
      )}
      {others.length > 0 && <OtherBooks books={others} />}
    </section>
  );
}
