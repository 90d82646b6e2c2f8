import { useState } from 'preact/hooks';
import { durationText } from '#domain/duration-text.ts';
import type { SignalView } from '#server/page/signal-view.ts';
import type { LaneRowView } from '#server/page/view.ts';
import { type LastState, model, nowOf } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { useTick } from '../live/ticking.ts';
import { exact, fixed } from '../words/numbers.ts';
import { millisOf } from '../words/times.ts';
import { Badge } from './badge.tsx';
import { Nothing } from './section.tsx';
import { Table } from './table.tsx';

const COLUMNS = [
  { title: 'lane' },
  { title: 'state' },
  { title: 'we buy at', isFigure: true },
  { title: 'we sell at', isFigure: true },
  { title: 'spread', isFigure: true },
  { title: 'age', isFigure: true },
  { title: 'validity', isFigure: true },
  { title: 'round trip', isFigure: true },
  { title: 'no spread up to', isFigure: true },
  { title: 'quotes', isFigure: true },
];

const TICK_MS = 250;
/** Number of lanes that are shown until a person asks for all. */
const MAX_SHOWN = 16;

/** Each subscription with its latest quote, unusable ones first. Ages tick between the daemon's messages. */
export function Lanes({ told }: { readonly told: LastState }) {
  const past = useStore(model.past);
  useTick(TICK_MS);
  const now = nowOf(told);
  const [isWhole, setWhole] = useState(false);
  const { lanes } = told.state;
  const ordered = [...lanes].sort((a, b) => Number(b.untradable !== null) - Number(a.untradable !== null));
  return (
    <>
      {lanes.length === 0 ? (
        <Nothing>Each product and amount that is quoted appears here, with the age of its latest quote.</Nothing>
      ) : (
        <Table
          caption="Lanes"
          columns={COLUMNS}
          rows={ordered.slice(0, isWhole ? undefined : MAX_SHOWN).map((lane) => ({
            key: lane.lane,
            alarm: lane.untradable !== null,
            cells: [
              lane.lane,
              <State key="state" lane={lane} />,
              exact(lane.buy),
              exact(lane.sell),
              lane.spreadPct === null ? '\u2013' : `${fixed(lane.spreadPct, 3)}\u00a0%`,
              ageText(lane.quoteAt, now),
              lane.validityMs === null ? '\u2013' : durationText(lane.validityMs),
              roundTrip(past?.roundTrips.find((one) => one.lane === lane.lane)?.ms),
              exact(lane.zeroSpread),
              `${lane.quotes}${lane.refused > 0 ? `, ${lane.refused} refused` : ''}`,
            ],
          }))}
        />
      )}
      {told.state.signals.length > 0 && <Signals signals={told.state.signals} now={now} />}
      {lanes.length > MAX_SHOWN && (
        <button type="button" class="act" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show ${MAX_SHOWN} lanes` : `Show all ${lanes.length} lanes`}
        </button>
      )}
    </>
  );
}

const SIGNAL_COLUMNS = [
  { title: 'source' },
  { title: 'last signal' },
  { title: 'fields' },
  { title: 'age', isFigure: true },
  { title: 'refused' },
];

/** The last signal of each source from outside. */
const Signals = ({ signals, now }: { readonly signals: readonly SignalView[]; readonly now: number }) => (
  <Table
    caption="Signals from outside"
    columns={SIGNAL_COLUMNS}
    rows={signals.map(({ source, at, id, value, isStale, refused }) => ({
      key: source,
      alarm: isStale,
      cells: [
        source,
        id ?? '\u2013',
        Object.entries(value)
          .map(([name, one]) => `${name} ${one}`)
          .join(', '),
        ageText(at, now),
        Object.entries(refused)
          .map(([cause, count]) => `${count} ${cause}`)
          .join(', '),
      ],
    }))}
  />
);

function ageText(since: string | null, now: number): string {
  const at = millisOf(since);
  return at === null ? '\u2013' : durationText(now - at);
}

const roundTrip = (ms: number | undefined): string => (ms === undefined ? '\u2013' : `${fixed(ms, 1)}\u00a0ms`);

function State({ lane: { phase, why, untradable, untradableWords } }: { readonly lane: LaneRowView }) {
  if (untradable === null) return <Badge tone="good">tradable</Badge>;
  return (
    <span>
      <Badge tone="bad">{untradable}</Badge>{' '}
      <small>{[untradableWords, phase === 'acked' ? '' : phase, why].filter((part) => part).join('; ')}</small>
    </span>
  );
}
