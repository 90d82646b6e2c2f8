import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { StrategyView } from '#server/page/view.ts';
import type { MinuteSpan } from '../charts/spans.ts';
import type { LastState } from '../live/model.ts';
import { describeDecision } from '../words/decision-text.ts';
import { heldText, isUncertain } from '../words/held.ts';
import type { StrategySoFar } from '../words/so-far.ts';
import { clockText } from '../words/times.ts';
import { Amount } from './amount.tsx';
import { Badge } from './badge.tsx';
import { Sparkline } from './sparkline.tsx';
import { STATE_TONES, StrategyCard } from './strategy-card.tsx';

/** A strategy in one row: position, closed profit of today, total profit, last decision. Opened, it shows its chart. */
export function StrategyRow({
  strategy,
  soFar,
  told,
  span,
}: {
  readonly strategy: StrategyView;
  readonly soFar: StrategySoFar;
  readonly told: LastState;
  readonly span: MinuteSpan;
}) {
  const [isOpen, setOpen] = useState(false);
  const { id, profit, quoteCcy, made } = strategy;
  const currency = quoteCcy ?? '';
  const today = soFar.closedToday;
  const trades = today?.reduce((sum, one) => sum + one.trades, 0) ?? 0;
  const books = [strategy, ...strategy.legs.filter(({ low, high }) => Number(low) !== 0 || Number(high) !== 0)];
  return (
    <details class="strategy" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary id={`strategy-${id}`}>
        <span class="who">
          <b>{id}</b> <Badge tone={STATE_TONES[strategy.state.name] ?? 'warn'}>{strategy.state.name.replaceAll('_', ' ')}</Badge>
        </span>
        <span class="cell">
          {books.map((book) => (
            <Fragment key={book.product}>
              <small>{book.product}</small>
              <span>{heldText(book, !isUncertain(book, { strategy: id, ...told.state }))}</span>
            </Fragment>
          ))}
        </span>
        <span class="cell">
          {books.map(({ product, position, unrealised, quoteCcy: of }) => (
            <Fragment key={product}>
              <small class="label">unrealised</small>
              {Number(position) === 0 ? <span class="even">–</span> : <Amount value={unrealised} currency={of ?? ''} />}
            </Fragment>
          ))}
        </span>
        <span class="cell">
          <small class="label">closed today</small>
          {today?.length ? (
            today.map((one) => <Amount key={one.currency} value={one.profit} currency={one.currency} />)
          ) : (
            <Amount value={today && 0} currency={currency} />
          )}
          {trades > 0 && <small>in {trades === 1 ? 'one trade' : `${trades} trades`}</small>}
        </span>
        <Sparkline course={today?.find((one) => one.currency === quoteCcy)?.course ?? []} />
        <span class="cell">
          <small class="label">in all</small>
          <Amount value={profit} currency={currency} />
          {made.map((one) => one.currency !== quoteCcy && <Amount key={one.currency} value={one.profit} currency={one.currency} />)}
        </span>
        <Last run={soFar.run} told={told} />
      </summary>
      {isOpen && (
        <StrategyCard
          strategy={strategy}
          lane={told.state.lanes.find(({ lane }) => lane === strategy.lane)}
          soFar={soFar}
          told={told}
          span={span}
        />
      )}
    </details>
  );
}

function Last({ run, told }: { readonly run: StrategySoFar['run']; readonly told: LastState }) {
  if (run === null) return <span class="doing">reading the journal</span>;
  const { last } = run;
  if (last === null) return <span class="doing">nothing decided yet in this run</span>;
  return (
    <span class="doing">
      <time dateTime={last.at}>{clockText(last.at, Date.parse(told.state.at))}</time> {last.kind.replaceAll('_', ' ')}:{' '}
      {describeDecision(last).says}
    </span>
  );
}
