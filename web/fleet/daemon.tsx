import { Fragment } from 'preact';
import { durationText } from '#domain/duration-text.ts';
import { type StateTone, toneOfState } from '#domain/state-tone.ts';
import type { DaemonReport, DaemonView, StrategyReport } from '#server/fleet/view.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Amount } from '../parts/amount.tsx';
import { Badge } from '../parts/badge.tsx';
import { Table } from '../parts/table.tsx';
import { labelOf, toneOf as toneOfKind } from '../words/kinds.ts';
import { amount, exact } from '../words/numbers.ts';
import { said as plainly } from '../words/said.ts';
import { stateName } from '../words/state-words.ts';
import { awayText, momentText } from '../words/times.ts';
import { alarmsOf, waitsOf } from './alarms.ts';
import { halt } from './halt.ts';

const COLUMNS = [
  { title: 'strategy' },
  { title: 'product' },
  { title: 'state' },
  { title: 'position', isFigure: true },
  { title: 'unrealised', isFigure: true },
];

/** A daemon of the fleet: state, profit, alarms, strategies and acts. */
export function Daemon({ daemon, now }: { readonly daemon: DaemonView; readonly now: string }) {
  const { name, url, said, reach, place } = daemon;
  const alarms = alarmsOf(daemon);
  const isOld = reach === 'silent' && said !== null;
  return (
    <section class={`daemon${alarms.length > 0 ? ' urgent' : ''}`} aria-label={name}>
      <div class="daemon-row">
        <div class="daemon-name">
          <h2>
            {url === null ? (
              name
            ) : (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {name}
              </a>
            )}
          </h2>
          <small>{place}</small>
        </div>
        <p class="daemon-state">
          {said && <strong class={`mode ${said.mode}`}>{said.mode.toUpperCase()}</strong>}
          <Badge tone={toneOf(daemon)}>{stateOf(daemon)}</Badge>
          {reach === 'slow' && <small>answers slowly{daemon.tookMs === null ? '' : `, ${durationText(daemon.tookMs)}`}</small>}
        </p>
        <dl class={`daemon-figures${isOld ? ' old' : ''}`}>
          <div>
            <dt>today</dt>
            <dd>
              <Profits amounts={said?.profitOfDayIn} />
            </dd>
          </div>
          <div>
            <dt>all runs</dt>
            <dd>
              <Profits amounts={said?.profitIn} />
            </dd>
          </div>
          <div>
            <dt>equity</dt>
            <dd>{amount(said?.equity, said?.currency)}</dd>
          </div>
        </dl>
        <div class="tools">
          {said?.trading === 'HALTED' && reach !== 'silent' ? (
            <span class="bad">halted</span>
          ) : (
            <ActButton asked={() => halt(name, 1)} label="Halt…" name={`Halt ${name}`} />
          )}
        </div>
      </div>
      {isOld && (
        <p class="note">
          The figures are from {momentText(said.at)}, {awayText(said.at, Date.parse(now))}.
        </p>
      )}
      {said && said.leftOut.length > 0 && (
        <p class="note">
          Not counted in {said.currency}: {said.leftOut.join('; ')}.
        </p>
      )}
      <Told what={`Alarms of ${name}`} tone="bad" texts={alarms} now={now} />
      <Told what={`Waits of ${name}`} tone="warn" texts={waitsOf(daemon)} now={now} />
      {daemon.newestAlarm && (
        <p class="newest">
          newest alarm <time dateTime={daemon.newestAlarm.at}>{momentText(daemon.newestAlarm.at)}</time>{' '}
          <Badge tone={toneOfKind(daemon.newestAlarm)}>{labelOf(daemon.newestAlarm)}</Badge> {daemon.newestAlarm.words}
        </p>
      )}
      {said && said.strategies.length > 0 && (
        <details>
          <summary>
            {said.strategies.length === 1 ? 'one strategy' : `${said.strategies.length} strategies`}:{' '}
            <States strategies={said.strategies} />
          </summary>
          <Table caption={`Strategies of ${name}`} columns={COLUMNS} rows={said.strategies.flatMap((one) => rowsOf(one, now))} />
        </details>
      )}
    </section>
  );
}

interface ToldProps {
  readonly what: string;
  readonly tone: StateTone;
  readonly texts: readonly string[];
  readonly now: string;
}

function Told({ what, tone, texts, now }: ToldProps) {
  if (texts.length === 0) return null;
  return (
    <ul class={`daemon-told ${tone}`} aria-label={what}>
      {texts.map((text) => (
        <li key={text}>{plainly(text, Date.parse(now))}</li>
      ))}
    </ul>
  );
}

/** Profit in the account's currency, and below it what could not be valued in it. */
function Profits({ amounts }: { readonly amounts: DaemonReport['profitIn'] | undefined }) {
  if (amounts === undefined || amounts.length === 0) return <Amount value={null} currency="" />;
  return amounts.map(({ currency, profit }) => (
    <div key={currency}>{profit === null ? `\u2013 ${currency}` : <Amount value={profit} currency={currency} />}</div>
  ));
}

/** A row for its own product, and for each further one that it holds. */
const rowsOf = ({ legs, id, state, why, ...own }: StrategyReport, now: string) =>
  [own, ...legs].map(({ product, position, unrealised, quoteCcy }) => ({
    key: `${id} ${product}`,
    cells: [
      id,
      product,
      <State key="state" state={state} why={plainly(why, Date.parse(now))} />,
      Number(position) === 0 ? 'flat' : exact(position),
      <Amount key="unrealised" value={unrealised} currency={quoteCcy ?? ''} />,
    ],
  }));

const State = ({ state, why }: Pick<StrategyReport, 'state' | 'why'>) => (
  <span>
    <Badge tone={toneOfState(state)}>{stateName(state)}</Badge> {state !== 'RUNNING' && <small>{why}</small>}
  </span>
);

/** Number of strategies in each state. */
function States({ strategies }: { readonly strategies: readonly StrategyReport[] }) {
  const counts = new Map<string, number>();
  for (const { state } of strategies) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => (
    <Fragment key={state}>
      <Badge tone={toneOfState(state)}>{`${count} ${stateName(state).toLowerCase()}`}</Badge>{' '}
    </Fragment>
  ));
}

function stateOf({ reach, said }: DaemonView): string {
  if (reach === 'silent') return 'SILENT';
  return said === null ? 'ASKING' : said.trading;
}

function toneOf({ reach, said }: DaemonView): StateTone {
  if (reach === 'silent') return 'bad';
  if (said === null) return 'even';
  return said.trading === 'ACTIVE' ? 'good' : said.trading === 'REDUCING' ? 'warn' : 'bad';
}
