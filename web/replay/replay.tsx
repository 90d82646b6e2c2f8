import { useEffect } from 'preact/hooks';
import type { EquityHistory } from '#server/page/history-view.ts';
import type { ReplayView } from '#server/page/replay-view.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { useStore } from '../live/store.ts';
import { Amount } from '../parts/amount.tsx';
import { Nothing, Section } from '../parts/section.tsx';
import { StoryDialog } from '../parts/story-dialog.tsx';
import { ThemeButton } from '../parts/theme-button.tsx';
import { amount } from '../words/numbers.ts';
import { momentText } from '../words/times.ts';
import { Controls } from './controls.tsx';
import { EquityThen } from './equity-then.tsx';
import { FeedThen } from './feed-then.tsx';
import { HeldThen } from './held-then.tsx';
import { useReplayKeys } from './keys.ts';
import type { ReplayFrame, ReplayPlayer } from './player.ts';
import { PricesThen } from './prices-then.tsx';

/** A past run as the page would have shown it at a moment, with the controls that move the moment. */
export function Replay({ player }: { readonly player: ReplayPlayer }) {
  const shown = useStore(player.shown);
  const { view, failed } = shown;
  useReplayKeys(player);
  useEffect(() => {
    document.title = `Replay of ${player.run} \u00b7 Kairos`;
  }, []);
  if (view === null) {
    return (
      <p class="waiting" role="status">
        {failed === '' ? 'Reading the journal.' : failed} <a href="/">Back to now</a>
      </p>
    );
  }
  return <At player={player} shown={shown} view={view} />;
}

function At({ player, shown, view }: { readonly player: ReplayPlayer; readonly shown: ReplayFrame; readonly view: ReplayView }) {
  const equity = useLookedUp<EquityHistory>(`/api/history/equity?run=${encodeURIComponent(view.run)}`);
  const history = equity?.kind === 'done' ? equity.body : null;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Bar shown={shown} view={view} history={history} />
      <main id="main" tabIndex={-1}>
        <h1 class="unseen">Replay of run {view.run}</h1>
        <div class="alarms">
          {view.unrecorded !== null && (
            <div class="alarm warn">
              <h2>Not recorded</h2>
              <p>{view.unrecorded}.</p>
            </div>
          )}
          {view.latches.map(({ kind, strategy, since, who, why }) => (
            <div key={`${kind} ${strategy}`} class={`alarm ${kind === 'halted' || kind === 'disarmed' ? 'bad' : 'warn'}`}>
              <h2>
                {kind.toUpperCase()}
                {strategy === null ? '' : `: ${strategy}`}
              </h2>
              <p>
                by {who} since {momentText(since)}: {why}
              </p>
            </div>
          ))}
        </div>
        <div class="wide">
          <Controls player={player} shown={shown} view={view} />
          <PricesThen view={view} at={shown.at} />
          <Section id="strategies" title="Strategies">
            <HeldThen view={view} />
          </Section>
          <Section id="account" title="Equity of this run">
            {view.unrecorded === null ? (
              <EquityThen history={history} at={shown.at} why={equity?.kind === 'refused' || equity?.kind === 'lost' ? equity.why : null} />
            ) : (
              <Nothing>Equity needs the recording, which is gone.</Nothing>
            )}
          </Section>
        </div>
        <div class="side">
          <FeedThen view={view} />
        </div>
      </main>
      <footer>
        <p>
          Run {view.run} of Kairos {view.version}, from its journal and recording. All times are UTC. Arrow keys step from decision to
          decision.
        </p>
      </footer>
      <StoryDialog />
    </>
  );
}

function Bar({
  shown: { at },
  view,
  history,
}: {
  readonly shown: ReplayFrame;
  readonly view: ReplayView;
  readonly history: EquityHistory | null;
}) {
  const { mode, trading, closed, closedToday } = view;
  const worth = history?.points.findLast((point) => point.at <= at);
  return (
    <header class="bar">
      <strong class={`mode ${mode}`}>REPLAY</strong>
      <span class="gate">
        <span class={`trading ${trading.toLowerCase()}`}>
          <span class="unseen">trading was </span>
          {trading}
        </span>
      </span>
      <dl class="glance">
        <div class="worth moment">
          <dt>moment</dt>
          <dd>
            <span class="date">{momentText(new Date(at).toISOString()).slice(0, 10)} </span>
            {momentText(new Date(at).toISOString()).slice(11)}
          </dd>
        </div>
        <div class="worth">
          <dt>equity</dt>
          <dd>{amount(worth?.equity, history?.currency)}</dd>
        </div>
        <Closed title="closed that day" closed={closedToday} />
        <Closed title="closed in the run" closed={closed} />
      </dl>
      <div class="buttons">
        <ThemeButton />
        <a class="act" href="/">
          Back to now
        </a>
      </div>
    </header>
  );
}

const Closed = ({ title, closed }: { readonly title: string; readonly closed: ReplayView['closed'] }) => (
  <div class="worth closed">
    <dt>{title}</dt>
    {closed.length === 0 && <dd>{'\u2013'}</dd>}
    {closed.map(({ profit, currency }) => (
      <dd key={currency}>
        <Amount value={profit} currency={currency} />
      </dd>
    ))}
  </div>
);
