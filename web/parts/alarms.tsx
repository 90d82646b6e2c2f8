import { toneOfState } from '#domain/state-tone.ts';
import type { LatchView } from '#server/page/past-view.ts';
import type { HelloView, StateView } from '#server/page/view.ts';
import { arm, enable, resume, unpause } from '../acts/acts.ts';
import { effectOf, wayOut } from '../acts/way-out.ts';
import { type LastState, model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { useNow, useTick } from '../live/ticking.ts';
import { latchesOf } from '../words/latches.ts';
import { exact } from '../words/numbers.ts';
import { awayText, lastedText, momentText } from '../words/times.ts';
import { ActButton } from './act-button.tsx';
import { LookingButton } from './looking-button.tsx';
import { SettleButtons } from './settle-buttons.tsx';

/** What stops orders, each with who, when, why, and the remedy. */
export function Alarms({ told }: { readonly told: LastState }) {
  const past = useStore(model.past);
  const { state } = told;
  const latches = latchesOf(state, past);
  return (
    <div class="alarms">
      <LostLine told={told} />
      {latches.map((latch) => (
        <Latch key={`${latch.kind} ${latch.strategy ?? ''}`} latch={latch} told={told} />
      ))}
      {state.unknowns > 0 && (
        <div class="alarm bad">
          <h2>{state.unknowns === 1 ? 'One order' : `${state.unknowns} orders`} of unknown outcome</h2>
          <p>
            The service did not say whether {state.unknowns === 1 ? 'it was' : 'they were'} executed. Nothing else is opened in the product
            meanwhile. Look into the account, and say what became of {state.unknowns === 1 ? 'it' : 'each'}.
          </p>
          <ul class="unsettled">
            {state.orders
              .filter((one) => one.state === 'unknown')
              .map((one) => (
                <li key={one.order}>
                  <span>
                    <b>{one.order}</b> {one.strategy}: {one.side} {exact(one.size)} {one.product} at {exact(one.price)}
                  </span>
                  <SettleButtons order={one} />
                </li>
              ))}
          </ul>
        </div>
      )}
      <Waits state={state} />
    </div>
  );
}

function Latch({ latch, told }: { readonly latch: LatchView; readonly told: LastState }) {
  const { kind, strategy, since, who, why, reason, meaning } = latch;
  const now = useNow(told, 5000);
  const way = wayOut(latch);
  return (
    <div class={`alarm ${toneOfState(kind.toUpperCase())}${strategy ? ' of-one' : ''}`}>
      <h2>
        {kind.toUpperCase()}
        {strategy ? `: ${strategy}` : kind === 'paused' ? ': all strategies' : ''}
      </h2>
      <p>{effectOf(kind)}</p>
      {who !== '' && (
        <dl class="facts">
          <dt>by</dt>
          <dd>{who}</dd>
          <dt>since</dt>
          <dd>
            {momentText(since)}, {awayText(since, now)}
          </dd>
          <dt>why</dt>
          <dd>{why}</dd>
          {reason && (
            <>
              <dt class="code">code</dt>
              <dd class="code">
                <a href={`/docs?q=${reason}`}>
                  <code>{reason}</code>
                </a>{' '}
                {meaning}
              </dd>
            </>
          )}
          {way !== undefined && (
            <>
              <dt>way out</dt>
              <dd>{way}</dd>
            </>
          )}
        </dl>
      )}
      <div class="tools">
        <EndButtons latch={latch} state={told.state} />
      </div>
    </div>
  );
}

function EndButtons({ latch: { kind, strategy }, state }: { readonly latch: LatchView; readonly state: StateView }) {
  const leftOut = state.strategies.find(({ id, enabled }) => id === strategy && !enabled);
  if (kind === 'disabled' && leftOut) return <p>{leftOut.state.mend}</p>;
  if (kind === 'disabled' && strategy !== null) return <ActButton asked={() => enable(strategy)} label={`Enable ${strategy}…`} />;
  if (kind === 'disarmed') return <LookingButton path="/api/arm" asked={arm} label="Arm…" />;
  return (
    <>
      <ActButton
        asked={() => (strategy === null ? resume(state) : unpause(strategy))}
        label={strategy === null ? 'Resume…' : `Resume ${strategy}…`}
      />
      {kind === 'reducing' && <LookingButton path="/api/arm" asked={arm} label="Arm…" />}
    </>
  );
}

/** A lost connection: the page shows old data. */
function LostLine({ told }: { readonly told: LastState }) {
  const link = useStore(model.link);
  const daemon = useStore(model.daemon);
  useTick(1000);
  if (link.kind === 'other' && daemon !== null) return <OtherDaemon own={daemon} found={link.found} />;
  if (link.kind !== 'lost') return null;
  return (
    <div class="alarm warn">
      <h2>Nothing heard for {lastedText(performance.now() - link.since)}</h2>
      <p>
        The daemon is silent, or cannot be reached from here. It may be trading. The dimmed figures are from {momentText(told.state.at)}.
        The page goes on when the daemon is back. To stop trading meanwhile, type this on its machine:
      </p>
      {daemon !== null && <code class="command">{daemon.haltCommand}</code>}
    </div>
  );
}

/** Another daemon has taken the address: the page shows and asks nothing of it. */
const OtherDaemon = ({ own, found }: { readonly own: HelloView; readonly found: HelloView }) => (
  <div class="alarm bad">
    <h2>Another daemon listens here: {found.name}</h2>
    <p>
      This page shows <b>{own.name}</b> ({own.mode.toUpperCase()}, {own.journal}). At its address now listens <b>{found.name}</b> (
      {found.mode.toUpperCase()}, {found.journal}). The dimmed figures are old, and nothing is sent.
    </p>
    <div class="tools">
      <button type="button" class="act" onClick={() => location.reload()}>
        Show {found.name}
      </button>
    </div>
  </div>
);

/** Waits that end by themselves, and exits that wait for a person. */
function Waits({ state: { notReady, trading, waitUntil, waitingExits, phase } }: { readonly state: StateView }) {
  const others = notReady.filter((reason) => !/^trading is /.test(reason));
  if (others.length === 0 && waitingExits.length === 0 && waitUntil === null && phase === 'running') return null;
  return (
    <div class="alarm warn">
      <h2>{trading === 'ACTIVE' ? 'Not everything is ready' : 'Besides'}</h2>
      <ul>
        {others.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {waitingExits.map(({ strategy, product, worth, currency, command }) => (
          <li key={`${strategy} ${product}`}>
            the exit of {strategy} in {product} is worth {worth} {currency}, more than risk.maxExitValue, and waits for the consent of a
            person; to allow it: <code>{command}</code>
          </li>
        ))}
        {waitUntil !== null && <li>the service asks for no requests until {momentText(waitUntil)}: openings wait</li>}
      </ul>
    </div>
  );
}
