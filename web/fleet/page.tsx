import { useEffect } from 'preact/hooks';
import type { FleetView, ModeSums } from '#server/fleet/view.ts';
import { askedStore, askFor } from '../acts/act-request.ts';
import { keysKept } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { useTick } from '../live/ticking.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { Amount } from '../parts/amount.tsx';
import { ThemeButton } from '../parts/theme-button.tsx';
import { lostText } from '../words/times.ts';
import { alarmFigure, byUrgency } from './alarms.ts';
import { Daemon } from './daemon.tsx';
import { fleetStore } from './following.ts';
import { halt } from './halt.ts';
import { Sweeps } from './sweeps.tsx';

const FLEET_TOKEN = (
  <>
    in the file <code>var/fleet-token</code> where <code>kairos fleet</code> was started
  </>
);

/** Several daemons at a glance: profit, alarms, and the button that halts them all. */
export function Page() {
  const heard = useStore(fleetStore);
  const count = heard?.fleet.daemons.length ?? 0;
  useHaltKey(count);
  if (heard === null) {
    return (
      <p class="waiting" role="status">
        Loading the state of the daemons.
      </p>
    );
  }
  const { fleet } = heard;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="bar">
        <strong class="mode fleet">FLEET</strong>
        <Glance fleet={fleet} />
        <div class="buttons">
          <ThemeButton />
          {count > 0 && (
            <button type="button" class="halt" aria-haspopup="dialog" aria-keyshortcuts="h" onClick={() => askFor(halt(null, count))}>
              HALT ALL
            </button>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <h1 class="unseen">Kairos fleet</h1>
        {byUrgency(fleet.daemons).map((daemon) => (
          <Daemon key={daemon.name} daemon={daemon} now={fleet.at} />
        ))}
        {fleet.sweeps && <Sweeps sweeps={fleet.sweeps} />}
      </main>
      <footer>
        <p>
          Profits are at present prices: of today since midnight UTC, and of all runs. A name opens the page of its daemon. All times are
          UTC.
        </p>
      </footer>
      <ActDialog tokenIs={FLEET_TOKEN} />
    </>
  );
}

function Glance({ fleet: { daemons, sums, sweeps } }: { readonly fleet: FleetView }) {
  return (
    <dl class="glance">
      {sweeps && (
        <div class="worth">
          <dt>sweeps</dt>
          <dd class={sweeps.why === null ? undefined : 'bad'}>{sweeps.sweeps.length}</dd>
        </div>
      )}
      {daemons.length > 0 && <OfDaemons daemons={daemons} sums={sums} />}
      <div class="line">
        <dt>page</dt>
        <dd>
          <Line />
        </dd>
      </div>
    </dl>
  );
}

function OfDaemons({ daemons, sums }: Pick<FleetView, 'daemons' | 'sums'>) {
  const answering = daemons.filter(({ reach }) => reach === 'answers' || reach === 'slow').length;
  const { tone, says } = alarmFigure(daemons);
  return (
    <>
      <div class="worth">
        <dt>answering</dt>
        <dd class={answering === daemons.length ? undefined : 'bad'}>
          {answering} of {daemons.length}
        </dd>
      </div>
      <div class="worth">
        <dt>alarms</dt>
        <dd class={tone}>{says}</dd>
      </div>
      <Sums title="today" sums={sums} profitsOf={({ profitOfDayIn }) => profitOfDayIn} />
      <Sums title="all runs" sums={sums} profitsOf={({ profitIn }) => profitIn} />
    </>
  );
}

/** Profit of all daemons, by mode and currency; a dash where a part of it is not known. */
function Sums({
  title,
  sums,
  profitsOf,
}: Pick<FleetView, 'sums'> & { readonly title: string; readonly profitsOf: (sums: ModeSums) => ModeSums['profitIn'] }) {
  const without = sums[0]?.without ?? [];
  const amounts = sums.flatMap((of) => profitsOf(of).map((made) => ({ mode: of.mode, ...made })));
  return (
    <div class="worth">
      <dt>{title}</dt>
      {amounts.length === 0 && <dd>{'\u2013'}</dd>}
      {amounts.map(({ mode, currency, profit }) => (
        <dd key={`${mode} ${currency}`}>
          <span class="of-mode">{mode.toUpperCase()}</span>{' '}
          {profit === null ? `\u2013 ${currency}` : <Amount value={profit} currency={currency} />}
        </dd>
      ))}
      {without.length > 0 && (
        <dd title={`not heard yet: ${without.join(', ')}`}>without {without.length === 1 ? 'one daemon' : `${without.length} daemons`}</dd>
      )}
    </div>
  );
}

function Line() {
  const heard = useStore(fleetStore);
  useTick(1000);
  if (heard?.isLost) return <span class="bad">{lostText(performance.now() - heard.heardAt)}</span>;
  return <span class="good">live</span>;
}

/** The key `h` opens the dialog to halt all, if single keys are on and nobody is typing. */
function useHaltKey(count: number): void {
  useEffect(() => {
    const hear = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      const isWriting = target instanceof HTMLElement && ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName);
      if (key === 'h' && count > 0 && !ctrlKey && !metaKey && !altKey && !isWriting && keysKept() && askedStore.get() === null) {
        askFor(halt(null, count));
      }
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [count]);
}
