import { useState } from 'preact/hooks';
import type { StrategyView } from '#server/page/view.ts';
import { close } from '../acts/acts.ts';
import { SPANS, type Span } from '../charts/spans.ts';
import { model, type Told } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { exact } from '../words/numbers.ts';
import { soFarOf } from '../words/so-far.ts';
import { unrealisedOf } from '../words/unrealised.ts';
import { ActButton } from './act-button.tsx';
import { Choice } from './choice.tsx';
import { PositionBar } from './position-bar.tsx';
import { Nothing, Section } from './section.tsx';
import { StrategyRow } from './strategy-row.tsx';

/** True if the strategy is idle and flat, so that it can be listed last. */
const isResting = ({ disabled, legs, ...own }: StrategyView): boolean =>
  disabled && [own, ...legs].every(({ low, high }) => Number(low) === 0 && Number(high) === 0);

/** A row for each strategy, and the positions of other books. */
export function Strategies({ told }: { readonly told: Told }) {
  const past = useStore(model.past);
  const [span, setSpan] = useState<Span>(5);
  const [showsResting, setResting] = useState(false);
  const { strategies, otherBooks } = told.state;
  const resting = strategies.filter(isResting);
  const shown = strategies.filter((one) => !isResting(one));
  const row = (strategy: StrategyView) => (
    <StrategyRow
      key={strategy.id}
      strategy={{
        ...strategy,
        unrealised: unrealisedOf(strategy, past?.holdings ?? []),
        legs: strategy.legs.map((leg) => ({ ...leg, unrealised: unrealisedOf({ ...leg, id: strategy.id }, past?.holdings ?? []) })),
      }}
      soFar={soFarOf(strategy.id, past)}
      told={told}
      span={span}
    />
  );
  return (
    <Section
      id="strategies"
      title="Strategies"
      tools={<Choice legend="prices of the last" name="span" choices={SPANS} value={span} onChoose={setSpan} />}
    >
      {strategies.length === 0 && (
        <Nothing>No strategy is configured. Each one of strategies[] in the configuration has a row here.</Nothing>
      )}
      <div class="strategy-rows">{shown.map(row)}</div>
      {resting.length > 0 && (
        <details onToggle={({ currentTarget }) => setResting(currentTarget.open)}>
          <summary>
            {resting.length} disabled {resting.length === 1 ? 'strategy that holds' : 'strategies that hold'} nothing
          </summary>
          {showsResting && <div class="strategy-rows">{resting.map(row)}</div>}
        </details>
      )}
      {otherBooks.length > 0 && (
        <>
          <h3>Other books</h3>
          <ul class="books">
            {otherBooks.map(({ id, product, position, low, high }) => (
              <li key={`${id} ${product}`}>
                <b>{id}</b> holds {exact(position)} of {product}{' '}
                {low !== high && (
                  <>
                    <PositionBar held={{ low, high }} /> {exact(low)} to {exact(high)} while an order is open{' '}
                  </>
                )}
                {Number(position) !== 0 && <ActButton asked={() => close(id, product, position)} label="Close…" name={`Close ${id}`} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
