import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { toneOfState } from '#domain/state-tone.ts';
import type { StrategyView } from '#server/page/view.ts';
import type { LastState } from '../live/model.ts';
import { describeDecision, tradeText } from '../words/decision-text.ts';
import { heldText, isUncertain } from '../words/held.ts';
import { exact } from '../words/numbers.ts';
import type { StrategySoFar } from '../words/so-far.ts';
import { blockPhrase, stateName } from '../words/state-words.ts';
import { clockText } from '../words/times.ts';
import { Amount } from './amount.tsx';
import { Badge } from './badge.tsx';
import { Sparkline } from './sparkline.tsx';
import { StrategyCard } from './strategy-card.tsx';

interface Props {
  readonly strategy: StrategyView;
  readonly soFar: StrategySoFar;
  readonly told: LastState;
}

/** A strategy in one row: its state with the reason, position, closed profit of today, total profit. Opened, it shows its chart. */
export function StrategyRow({ strategy, soFar, told }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { id, use, profit, quoteCcy, made } = strategy;
  const currency = quoteCcy ?? '';
  const today = soFar.closedToday;
  const trades = today?.reduce((sum, one) => sum + one.trades, 0) ?? 0;
  const books = [strategy, ...strategy.legs.filter(({ low, high }) => Number(low) !== 0 || Number(high) !== 0)];
  return (
    <details class="strategy" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary id={`strategy-${id}`}>
        <span class="who" title={id}>
          <b>{id}</b>
          <small>{use}</small>
        </span>
        <Doing strategy={strategy} run={soFar.run} told={told} />
        <span class="cell held">
          {books.map((book) => (
            <Fragment key={book.product}>
              <span>
                {heldText(book, !isUncertain(book, { strategy: id, ...told.state }))} <small>{book.product}</small>
              </span>
              {book.entry !== null && <small class="entry">at {exact(book.entry)}</small>}
            </Fragment>
          ))}
        </span>
        <span class="cell">
          {books.map(({ product, position, unrealised, quoteCcy: of }) => (
            <Fragment key={product}>
              <span class="unseen">unrealised </span>
              {Number(position) === 0 ? <span class="even">–</span> : <Amount value={unrealised} currency={of ?? ''} />}
            </Fragment>
          ))}
        </span>
        <span class="cell">
          <span class="unseen">closed today </span>
          {today?.length ? (
            today.map((one) => <Amount key={one.currency} value={one.profit} currency={one.currency} />)
          ) : (
            <Amount value={today && 0} currency={currency} />
          )}
          {trades > 0 && <small>in {trades === 1 ? 'one trade' : `${trades} trades`}</small>}
        </span>
        <Sparkline course={today?.find((one) => one.currency === quoteCcy)?.course ?? []} />
        <span class="cell">
          <span class="unseen">in all </span>
          <Amount value={profit} currency={currency} />
          {made.map((one) => one.currency !== quoteCcy && <Amount key={one.currency} value={one.profit} currency={one.currency} />)}
        </span>
      </summary>
      {isOpen && (
        <StrategyCard strategy={strategy} lane={told.state.lanes.find(({ lane }) => lane === strategy.lane)} soFar={soFar} told={told} />
      )}
    </details>
  );
}

/** Its state, and beside it why it does not trade, or what it decided last. */
function Doing({ strategy: { state }, run, told }: Omit<Props, 'soFar'> & { readonly run: StrategySoFar['run'] }) {
  const tone = toneOfState(state.name);
  const why = blockPhrase(state, Date.parse(told.state.at));
  return (
    <span class="doing">
      <Badge tone={tone}>{stateName(state.name)}</Badge>{' '}
      {why === null ? (
        <small>
          <Last run={run} told={told} />
        </small>
      ) : (
        <small class={`why-not ${tone}`}>{why}</small>
      )}
    </span>
  );
}

function Last({ run, told }: { readonly run: StrategySoFar['run']; readonly told: LastState }) {
  if (run === null) return <>reading the journal</>;
  const { last } = run;
  if (last === null) return <>nothing decided yet in this run</>;
  return (
    <>
      <time dateTime={last.at}>{clockText(last.at, Date.parse(told.state.at))}</time>{' '}
      {last.fill === null ? describeDecision(last).says : tradeText(last.fill)}
    </>
  );
}
