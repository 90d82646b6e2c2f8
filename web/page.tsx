import { model } from './live/model.ts';
import { useStore } from './live/store.ts';
import { useTold } from './live/ticking.ts';
import { ActDialog } from './parts/act-dialog.tsx';
import { Alarms } from './parts/alarms.tsx';
import { Announcer } from './parts/announcer.tsx';
import { Feed } from './parts/feed.tsx';
import { KeysDialog, useKeys } from './parts/keys-dialog.tsx';
import { Market } from './parts/market.tsx';
import { Menu } from './parts/menu.tsx';
import { More } from './parts/more.tsx';
import { Overview } from './parts/overview.tsx';
import { StoryDialog } from './parts/story-dialog.tsx';
import { Strategies } from './parts/strategies.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { Trades } from './parts/trades.tsx';
import { WhyNotDialog } from './parts/why-not-dialog.tsx';
import { isStale } from './words/reach.ts';

/** As many rows leave the chart in sight below them. */
const MAX_BEFORE_CHART = 5;

/** The whole page: one screen that a trader leaves open. */
export function Page() {
  const told = useTold();
  const isOld = isStale(useStore(model.link).kind);
  useKeys();
  if (told === null) return <Waiting />;
  const { run, version, service, embedded, pid, strategies } = told.state;
  const areFew = strategies.length <= MAX_BEFORE_CHART;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar told={told} />
      <Menu state={told.state} />
      <main id="main" class={isOld ? 'old' : undefined} tabIndex={-1}>
        <h1 class="unseen">Kairos</h1>
        <Alarms told={told} />
        <div class="wide">
          {areFew && <Strategies told={told} />}
          <Market told={told} />
          {!areFew && <Strategies told={told} />}
          <Overview told={told} />
        </div>
        <div class="side">
          <Feed told={told} />
        </div>
        <div class="rest">
          <Trades told={told} />
          <More told={told} />
        </div>
      </main>
      <footer>
        <p>
          Kairos {version}, run {run}, process {pid}, service {embedded ? 'the paper venue in this process' : service}. All times are UTC.
        </p>
        <p>
          Charts by <a href="https://www.tradingview.com/">TradingView</a> Lightweight Charts™, copyright 2025 TradingView, Inc.
        </p>
      </footer>
      <ActDialog />
      <StoryDialog />
      <WhyNotDialog />
      <KeysDialog />
      <Announcer told={told} />
    </>
  );
}

function Waiting() {
  const link = useStore(model.link);
  return (
    <p class="waiting" role="status">
      {link.kind === 'lost' ? 'The daemon cannot be reached. This page goes on trying.' : 'Loading the state of the daemon.'}
    </p>
  );
}
