import type { StateView } from '#server/page/view.ts';
import { askFor } from '../acts/act-request.ts';
import { halt, resume } from '../acts/acts.ts';
import { type LastState, model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { useTick } from '../live/ticking.ts';
import { isClockWrong } from '../words/clock.ts';
import { EQUITY_IS, equityText, profitBounds } from '../words/held.ts';
import { direction, fixed, signed, signedMoney, signedShare } from '../words/numbers.ts';
import { isStale, knownTrading } from '../words/reach.ts';
import { blockedCount } from '../words/state-words.ts';
import { sumsOf } from '../words/sums.ts';
import { lostText } from '../words/times.ts';
import { Amount } from './amount.tsx';
import { MenuButton } from './menu.tsx';

const MEANINGS: Readonly<Record<string, string>> = {
  paper: 'made-up money at the paper venue',
  dry: "the real service's quotes; no order leaves this machine",
  live: 'real orders, real money',
};

/** What must always be visible: mode, state of trading, the page's connection, profit, and the button that halts trading. */
export function TopBar({ told }: { readonly told: LastState }) {
  const { state } = told;
  const { mode, trading, money } = state;
  const reach = useStore(model.link).kind;
  const known = knownTrading(trading, reach);
  const blocked = known === 'ACTIVE' ? blockedCount(state.strategies.flatMap((one) => (one.enabled ? one.state.name : []))) : null;
  return (
    <header class={isStale(reach) ? 'bar old' : 'bar'}>
      <strong class={`mode ${mode}`} title={MEANINGS[mode]}>
        {mode.toUpperCase()}
        <span class="unseen">: {MEANINGS[mode]}</span>
      </strong>
      <Whose />
      <span class="gate">
        <span class={`trading ${known.toLowerCase()}`}>
          <span class="unseen">trading is </span>
          {known}
        </span>
        {blocked && (
          <a class={`badge ${blocked.tone}`} href="#strategies">
            {blocked.says}
          </a>
        )}
      </span>
      <dl class="glance">
        <div class="worth">
          <dt title={EQUITY_IS}>equity</dt>
          <dd>
            {equityText(state)}&nbsp;{money.currency}
          </dd>
        </div>
        {sumsOf(money).map(({ name, value }) => (
          <div key={name} class={name === 'this run' ? 'worth of-run' : 'worth'}>
            <dt title={OF_BUDGETS}>{name}</dt>
            <dd>
              <Made value={value} state={state} />
            </dd>
          </div>
        ))}
        <div class="clock">
          <dt>clock</dt>
          <dd>
            <Clock told={told} />
          </dd>
        </div>
        <div class="line">
          <dt>page</dt>
          <dd>
            <Line />
          </dd>
        </div>
      </dl>
      <div class="buttons">
        <MenuButton />
        {known === 'HALTED' ? (
          <button type="button" class="resume" aria-haspopup="dialog" onClick={() => askFor(resume(state))}>
            Resume…
          </button>
        ) : (
          <button type="button" class="halt" aria-haspopup="dialog" onClick={() => askFor(halt())} aria-keyshortcuts="h">
            HALT
          </button>
        )}
      </div>
    </header>
  );
}

/** Which daemon this is. */
function Whose() {
  const daemon = useStore(model.daemon);
  if (daemon === null) return null;
  return (
    <span class="whose" title={daemon.journal}>
      <b>{daemon.name}</b>
      <small>
        <bdi>{daemon.journal}</bdi>
      </small>
    </span>
  );
}

const OF_BUDGETS = 'and its share of the present budgets; `kairos profit` has the time-weighted return';

interface MadeProps {
  readonly value: number | null;
  readonly state: StateView;
}

/** The profit, and its share of what was there before; a range where orders have no known outcome. */
function Made({ value, state }: MadeProps) {
  const { equity, currency } = state.money;
  if (state.unknowns > 0) {
    const bounds = profitBounds(value, state);
    if (bounds === null) return <Amount value={null} currency={currency} />;
    const [low, high] = [bounds.low, bounds.high].map((one) => signedMoney(one, currency));
    if (low !== high) {
      return (
        <span class={direction(bounds.low) === direction(bounds.high) ? direction(bounds.low) : undefined}>
          {low} to {high}&nbsp;{currency}
        </span>
      );
    }
  }
  const before = equity === null || value === null ? 0 : equity - value;
  return (
    <>
      <Amount value={value} currency={currency} />
      {value !== null && before > 0 && (
        <small>
          {' '}
          {signedShare(value / before)} <span class="roomy">of budgets</span>
        </small>
      )}
    </>
  );
}

/** The service's time minus ours, and its uncertainty. */
function Clock({ told: { state } }: { readonly told: LastState }) {
  const { offsetMs, halfWidthMs, words } = state.time;
  const wrong = isClockWrong(state.time) ? words : null;
  if (offsetMs === null || halfWidthMs === null) return <span class="bad">not known</span>;
  return (
    <span class={wrong === null ? undefined : 'bad'} title={wrong ?? "the service's time minus ours, and its uncertainty"}>
      {signed(offsetMs, 0)} ±{fixed(halfWidthMs, 0)}&nbsp;ms
    </span>
  );
}

function Line() {
  const link = useStore(model.link);
  useTick(1000);
  if (link.kind === 'lost') return <span class="bad">{lostText(performance.now() - link.since)}</span>;
  if (link.kind === 'other') return <span class="bad">another</span>;
  return <span class={link.kind === 'live' ? 'good' : undefined}>{link.kind === 'live' ? 'live' : 'joining'}</span>;
}
