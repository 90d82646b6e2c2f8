import { Fragment } from 'preact';
import { durationText } from '#domain/duration-text.ts';
import type { LaneRowView, ParameterView, StrategyView } from '#server/page/view.ts';
import { close, enable, pause, unpause } from '../acts/acts.ts';
import { backtest, sweep } from '../acts/backtest.ts';
import type { LastState } from '../live/model.ts';
import { showStory } from '../live/order-shown.ts';
import { describeDecision } from '../words/decision-text.ts';
import { heldText, isUncertain } from '../words/held.ts';
import { amount as amountText, exact, money } from '../words/numbers.ts';
import type { StrategySoFar } from '../words/so-far.ts';
import { clockText, momentText } from '../words/times.ts';
import { ActButton } from './act-button.tsx';
import { Amount } from './amount.tsx';
import { Backtest } from './backtest.tsx';
import { LookingButton } from './looking-button.tsx';
import { PositionBar } from './position-bar.tsx';
import { PriceChart } from './price-chart.tsx';
import { Waiting } from './waiting.tsx';
import { showWhyNot } from './why-not-dialog.tsx';

interface Props {
  readonly strategy: StrategyView;
  readonly lane: LaneRowView | undefined;
  readonly soFar: StrategySoFar;
  readonly told: LastState;
}

/** A strategy: its signals, position, profit and costs, its last decision, and the acts of a person for it. */
export function StrategyCard({ strategy, lane, soFar, told }: Props) {
  const { id, use, product, amount, enabled, paused, disabled, position } = strategy;
  return (
    <article class="card" aria-labelledby={`strategy-${id}`}>
      <p class="what">
        {use} on {product}, {amount.replace(':', ' ')}
      </p>
      <PriceChart strategy={strategy} lane={lane} told={told} />
      <Observed values={strategy.observed} />
      <Facts strategy={strategy} soFar={soFar} told={told} />
      <Legs strategy={strategy} />
      <Waiting waiting={strategy.waiting} told={told} />
      {strategy.state.name !== 'REFUSED' && <Last run={soFar.run} told={told} />}
      <div class="tools">
        {!enabled ? null : disabled ? (
          <ActButton asked={() => enable(id)} label="Enable…" name={`Enable ${id}`} />
        ) : paused ? (
          <ActButton asked={() => unpause(id)} label="Resume…" name={`Resume ${id}`} />
        ) : (
          <ActButton asked={() => pause(id)} label="Pause…" name={`Pause ${id}`} />
        )}
        <button type="button" class="act" aria-haspopup="dialog" aria-label={`Why no order? ${id}`} onClick={() => showWhyNot(id)}>
          Why no order?
        </button>
        {Number(position) !== 0 && <ActButton asked={() => close(id, product, position)} label="Close…" name={`Close ${id}`} />}
        <LookingButton
          path="/api/modules"
          asked={(found: readonly string[]) => backtest(id, found)}
          label="Backtest…"
          name={`Backtest ${id}`}
        />
        <LookingButton
          path={`/api/parameters?strategy=${encodeURIComponent(id)}`}
          asked={(found: readonly ParameterView[]) => sweep(id, found)}
          label="Sweep…"
          name={`Sweep ${id}`}
        />
      </div>
      <Backtest of={id} />
    </article>
  );
}

function Facts({ strategy, soFar: { run }, told }: Pick<Props, 'strategy' | 'soFar' | 'told'>) {
  const { id, entry, openedAt, unrealised, profit, made, quoteCcy, budget, budgetLeft } = strategy;
  const currency = quoteCcy ?? '';
  const isSure = !isUncertain(strategy, { strategy: id, ...told.state });
  return (
    <dl class="facts wide">
      <div>
        <dt>position</dt>
        <dd>
          {heldText(strategy, isSure)}
          {!isSure && <PositionBar held={strategy} />}
          {entry !== null && <small title={openedAt === null ? undefined : `opened ${momentText(openedAt)}`}>at {exact(entry)}</small>}
        </dd>
      </div>
      <div>
        <dt>unrealised</dt>
        <dd>
          <Amount value={unrealised} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>profit</dt>
        <dd>
          <Amount value={profit} currency={currency} />
          {made.map(
            (one) =>
              one.currency !== quoteCcy && (
                <small key={one.currency}>
                  <Amount value={one.profit} currency={one.currency} />
                </small>
              ),
          )}
        </dd>
      </div>
      <div>
        <dt>costs in this run</dt>
        <dd>
          {run === null && '\u2013'}
          {run?.costs.length === 0 && amountText(0, currency)}
          {run?.costs.map(({ currency: of, fee, spread, slippage }) => (
            <Fragment key={of}>
              {amountText(fee + spread + slippage, of)}
              <small>
                fees paid {money(fee, of)}, spread {money(spread, of)}, slippage {money(slippage, of)}
              </small>
            </Fragment>
          ))}
        </dd>
      </div>
      <div>
        <dt>budget left</dt>
        <dd>
          {amountText(budgetLeft, currency)}
          {budget !== null && <small>of {money(budget, currency)}</small>}
        </dd>
      </div>
      <div>
        <dt>this run</dt>
        <dd>
          {run ? `${run.fills} of ${run.orders} executed` : '\u2013'}
          {run && run.refusals > 0 && <small>{run.refusals} more refused before sending</small>}
        </dd>
      </div>
    </dl>
  );
}

/** What it holds and made in other products than its own. */
function Legs({ strategy: { id, legs } }: Pick<Props, 'strategy'>) {
  if (legs.length === 0) return null;
  return (
    <ul class="books">
      {legs.map(({ product, position, low, high, entry, unrealised, profit, quoteCcy }) => (
        <li key={product}>
          <b>{product}</b> {Number(position) === 0 ? 'flat' : exact(position)}
          {entry !== null && ` at ${exact(entry)}`}
          {low !== high && ` (${exact(low)} to ${exact(high)} while an order is open)`}
          {Number(position) !== 0 && (
            <>
              , unrealised <Amount value={unrealised} currency={quoteCcy ?? ''} />
            </>
          )}
          , made <Amount value={profit} currency={quoteCcy ?? ''} />{' '}
          {Number(position) !== 0 && (
            <ActButton asked={() => close(id, product, position)} label="Close…" name={`Close ${id} in ${product}`} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Values that the strategy names. */
function Observed({ values }: { readonly values: StrategyView['observed'] }) {
  const named = Object.entries(values);
  if (named.length === 0) return null;
  return (
    <p class="observed">
      {named.map(([name, value]) => (
        <span key={name}>
          {name} <b>{valueText(value)}</b>
        </span>
      ))}
    </p>
  );
}

const SIGNIFICANT = 8;

function valueText(value: unknown): string {
  if (typeof value === 'number') return exact(Number(value.toPrecision(SIGNIFICANT)));
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('ageMs' in value) || typeof value.ageMs !== 'number') return JSON.stringify(value);
  const { id: _, ageMs, stale, ...fields }: { id?: unknown; ageMs: number; stale?: unknown } = { ...value, ageMs: value.ageMs };
  const said = Object.entries(fields).map(([name, field]) => `${name} ${valueText(field)}`);
  return `${said.join(', ')} (${durationText(ageMs)} old${stale === true ? ', stale' : ''})`;
}

function Last({ run, told }: { readonly run: StrategySoFar['run']; readonly told: LastState }) {
  if (run === null) return <p class="last">Reading the journal.</p>;
  const { last } = run;
  if (last === null) return <p class="last">It has decided nothing yet in this run.</p>;
  const { order, at, kind } = last;
  const { says, figures, code } = describeDecision(last);
  return (
    <p class="last few-lines" title={[figures, code].filter((one) => one !== null).join(' ') || undefined}>
      <time dateTime={at}>{clockText(at, Date.parse(told.state.at))}</time> {kind.replaceAll('_', ' ')}
      {order !== null && (
        <>
          {' '}
          <button type="button" class="link" aria-label={`Story of order ${order}`} aria-haspopup="dialog" onClick={() => showStory(order)}>
            {order}
          </button>
        </>
      )}
      : {says}
    </p>
  );
}
