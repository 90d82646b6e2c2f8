import { accountActs } from './acts/acts.ts';
import { model } from './live/model.ts';
import { useStore } from './live/store.ts';
import { useTold } from './live/ticking.ts';
import { ActButton } from './parts/act-button.tsx';
import { ActDialog } from './parts/act-dialog.tsx';
import { Alarms } from './parts/alarms.tsx';
import { Announcer } from './parts/announcer.tsx';
import { Feed } from './parts/feed.tsx';
import { KeysDialog, useKeys } from './parts/keys-dialog.tsx';
import { Market } from './parts/market.tsx';
import { More } from './parts/more.tsx';
import { Overview } from './parts/overview.tsx';
import { StoryDialog } from './parts/story-dialog.tsx';
import { Strategies } from './parts/strategies.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { Trades } from './parts/trades.tsx';
import { WhyNotDialog } from './parts/why-not-dialog.tsx';
import { isStale } from './words/reach.ts';

const PARTS = [
  ['chart', 'Chart'],
  ['feed', 'Decisions'],
  ['strategies', 'Strategies'],
  ['account', 'Account'],
  ['trades', 'Trades'],
  ['orders', 'Open orders'],
  ['limits', 'Limits'],
  ['runs', 'Runs and reports'],
] as const;

/** The whole page: one screen that a trader leaves open. */
export function Page() {
  const told = useTold();
  const isOld = isStale(useStore(model.link).kind);
  useKeys();
  if (told === null) return <Waiting />;
  const { run, version, service, embedded, pid } = told.state;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar told={told} />
      <div class="strip">
        <nav aria-label="Parts of the page">
          {PARTS.map(([id, title]) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
          <a href="/docs">Docs</a>
        </nav>
        <div class="tools">
          {accountActs(told.state).map(({ label, asked }) => (
            <ActButton key={label} asked={asked} label={label} />
          ))}
        </div>
      </div>
      <main id="main" class={isOld ? 'old' : undefined} tabIndex={-1}>
        <h1 class="unseen">Kairos</h1>
        <Alarms told={told} />
        <div class="wide">
          <Market told={told} />
          <Strategies told={told} />
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
