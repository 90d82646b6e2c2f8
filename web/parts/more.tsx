import { useEffect } from 'preact/hooks';
import type { PastView } from '#server/page/past-view.ts';
import { type LastState, model } from '../live/model.ts';
import { goTo, TABS, type Tab, tabStore } from '../live/parts-open.ts';
import { useStore } from '../live/store.ts';
import { Lanes } from './lanes.tsx';
import { Limits, nearLimits } from './limits.tsx';
import { Notifications } from './notifications.tsx';
import { Orders } from './orders.tsx';
import { Remote } from './remote.tsx';
import { Runs } from './runs.tsx';
import { Schedule } from './schedule.tsx';

const TITLES: Readonly<Record<Tab, string>> = {
  orders: 'Open orders',
  limits: 'Limits',
  lanes: 'Lanes',
  schedule: 'Schedule',
  remote: 'Remote strategies',
  notifications: 'Notifications',
  runs: 'Runs and reports',
};

/** Signals from outside stand beside the lanes. */
const titleOf = (tab: Tab, { state }: LastState): string =>
  tab === 'lanes' && state.signals.length > 0 ? 'Lanes and signals' : TITLES[tab];

/** The count of a tab, and whether it needs a person. */
interface Count {
  readonly count: number | null;
  readonly isUrgent: boolean;
}

function countOf(tab: Tab, told: LastState, past: PastView | null): Count {
  const { orders, unknowns, lanes, signals } = told.state;
  const near = nearLimits(told);
  switch (tab) {
    case 'orders':
      return { count: orders.length, isUrgent: unknowns > 0 };
    case 'limits':
      return { count: near, isUrgent: near > 0 };
    case 'lanes':
      return {
        count: lanes.length,
        isUrgent: lanes.some(({ untradable }) => untradable !== null) || signals.some(({ isStale }) => isStale),
      };
    case 'schedule':
      return { count: past?.schedule.length ?? null, isUrgent: past?.schedule.some(({ missed }) => missed) ?? false };
    case 'remote':
      return { count: past?.remote.length ?? null, isUrgent: past?.remote.some(({ status }) => status === 'unknown') ?? false };
    case 'notifications':
      return { count: past?.notifications.length ?? null, isUrgent: past?.notifications.some(({ status }) => status === 'late') ?? false };
    case 'runs':
      return { count: null, isUrgent: false };
  }
}

/** Parts behind tabs, of which one is open; empty ones take no room. */
export function More({ told }: { readonly told: LastState }) {
  const past = useStore(model.past);
  const chosen = useStore(tabStore);
  const open = chosen ?? (told.state.unknowns > 0 ? 'orders' : 'limits');
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
      if (link) goTo(link.getAttribute('href')?.slice(1) ?? '');
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, []);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = TABS[(TABS.indexOf(open) + by + TABS.length) % TABS.length] ?? open;
    tabStore.set(next);
    document.getElementById(`${next}-tab`)?.focus();
    event.preventDefault();
  };
  return (
    <section class="more" aria-labelledby="more-title">
      <h2 id="more-title" class="unseen">
        More
      </h2>
      <div class="tabs" role="tablist" aria-labelledby="more-title" onKeyDown={step}>
        {TABS.map((tab) => (
          <TabButton key={tab} tab={tab} title={titleOf(tab, told)} isOpen={tab === open} count={countOf(tab, told, past)} />
        ))}
      </div>
      <div class="panel" id={open} role="tabpanel" aria-labelledby={`${open}-tab`} tabIndex={-1}>
        <Panel tab={open} told={told} />
      </div>
    </section>
  );
}

interface TabParts {
  readonly tab: Tab;
  readonly title: string;
  readonly isOpen: boolean;
  readonly count: Count;
}

function TabButton({ tab, title, isOpen, count: { count, isUrgent } }: TabParts) {
  return (
    <button
      type="button"
      id={`${tab}-tab`}
      role="tab"
      aria-selected={isOpen}
      tabIndex={isOpen ? 0 : -1}
      class={isUrgent ? 'urgent' : undefined}
      onClick={() => tabStore.set(tab)}
    >
      {title}
      {count !== null && count > 0 && <span class="count">{count}</span>}
    </button>
  );
}

function Panel({ tab, told }: { readonly tab: Tab; readonly told: LastState }) {
  switch (tab) {
    case 'orders':
      return <Orders told={told} />;
    case 'limits':
      return <Limits told={told} />;
    case 'lanes':
      return <Lanes told={told} />;
    case 'schedule':
      return <Schedule told={told} />;
    case 'remote':
      return <Remote told={told} />;
    case 'notifications':
      return <Notifications />;
    case 'runs':
      return <Runs told={told} />;
  }
}
