import { useRef, useState } from 'preact/hooks';
import type { DecisionHistory } from '#server/page/history-view.ts';
import type { DecisionView } from '#server/page/past-view.ts';
import { look } from '../live/ask.ts';
import { useGathered } from '../live/gathered.ts';
import { type LastState, model } from '../live/model.ts';
import { showStory } from '../live/order-shown.ts';
import { useStore } from '../live/store.ts';
import { describeDecision } from '../words/decision-text.ts';
import { GROUPS, type Group, groupQuery, isIn, labelOf, toneOf } from '../words/kinds.ts';
import { collapsed, type RepeatedDecision } from '../words/repeats.ts';
import { clockText } from '../words/times.ts';
import { Amount } from './amount.tsx';
import { Badge } from './badge.tsx';
import { Nothing, Section } from './section.tsx';
import { useSlide } from './slide.ts';

/** Number of rows that are drawn at first; the button at the end adds all that are at hand, and older ones. */
const MAX_SHOWN = 80;
const OLDER = 100;
const AGO_MS = 600_000;

/**
 * Decisions in plain words, as they are journaled. The list stands still while it is on hold, while the pointer is over it, and while somebody
 * reads further down; what comes meanwhile is counted.
 */
export function Feed({ told }: { readonly told: LastState }) {
  const newest = useStore(model.decisions);
  const list = useRef<HTMLOListElement>(null);
  const [strategy, setStrategy] = useState('');
  const [group, setGroup] = useState<Group>('what matters');
  const [isOnHold, setOnHold] = useState(false);
  const [isPointedAt, setPointedAt] = useState(false);
  const isHeld = isOnHold || isPointedAt;
  const shown = useGathered(newest, isHeld);
  const [older, setOlder] = useState<readonly DecisionView[]>([]);
  const [hasMore, setHasMore] = useState(true);
  const [failed, setFailed] = useState('');
  const isWanted = (row: DecisionView): boolean => (strategy === '' || row.strategy === strategy) && isIn(group, row);
  const wanted = collapsed([...shown, ...older].filter(isWanted));
  // Once somebody looks back, nothing between the newest and what was loaded is left out.
  const rows = older.length === 0 && hasMore ? wanted.slice(0, MAX_SHOWN) : wanted;
  const waiting = isHeld ? newest.filter((row) => row.seq > (shown[0]?.seq ?? 0) && isWanted(row)).length : 0;
  useSlide(list, rows[0]?.first.seq);

  const forgetOlder = (): void => {
    setOlder([]);
    setHasMore(true);
    setFailed('');
  };
  const resume = (): void => {
    setOnHold(false);
    forgetOlder();
    list.current?.scrollTo({ top: 0 });
  };
  const more = async (): Promise<void> => {
    const before = [...shown, ...older].at(-1)?.seq;
    if (before === undefined) return;
    setOnHold(true);
    const asked = `before=${before}&limit=${OLDER}${strategy === '' ? '' : `&strategy=${encodeURIComponent(strategy)}`}${groupQuery(group)}`;
    const found = await look<DecisionHistory>(`/api/history/decisions?${asked}`);
    setFailed(found.kind === 'done' ? '' : found.why);
    if (found.kind !== 'done') return;
    setOlder([...older, ...found.body.decisions]);
    setHasMore(found.body.more);
  };

  return (
    <Section
      id="feed"
      title="Decisions"
      tools={
        <>
          <a class="act" href={`/?replay=${encodeURIComponent(told.state.run)}&at=${agoIn(told)}`} title="all of the page as it was then">
            Back 10 min
          </a>
          <button type="button" class="act hold" onClick={() => (isOnHold ? resume() : setOnHold(true))}>
            {isOnHold ? 'Go on' : 'Hold'}
          </button>
        </>
      }
    >
      <div class="filters">
        <label>
          strategy
          <select
            value={strategy}
            onChange={({ currentTarget }) => {
              setStrategy(currentTarget.value);
              forgetOlder();
            }}
          >
            <option value="">all</option>
            {told.state.strategies.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label>
          show
          <select
            value={group}
            onChange={({ currentTarget }) => {
              setGroup(GROUPS.find((one) => one === currentTarget.value) ?? 'what matters');
              forgetOlder();
            }}
          >
            {GROUPS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <span class="gathered">{waiting > 0 && `${waiting} new`}</span>
      </div>
      {rows.length === 0 && (
        <Nothing>
          {shown.length === 0
            ? 'Each decision appears here as it is journaled, in plain words.'
            : `None of the ${hasMore ? `newest ${shown.length} decisions` : 'decisions of the journal'} is of that kind.`}
        </Nothing>
      )}
      {shown.length > 0 && (
        <ol
          class="rows"
          ref={list}
          aria-label="Decisions, the newest first"
          onPointerEnter={({ pointerType }) => setPointedAt(pointerType === 'mouse')}
          onPointerLeave={() => setPointedAt(false)}
          onScroll={({ currentTarget }) => {
            if (!isOnHold && currentTarget.scrollTop > 40) setOnHold(true);
          }}
        >
          {rows.map((one) => (
            <Decision key={one.first.seq} {...one} today={told.state.at} />
          ))}
          {hasMore && (
            <li class="more">
              <button type="button" class="act" onClick={more}>
                Older
              </button>
              {failed !== '' && <span role="alert">{failed}</span>}
            </li>
          )}
        </ol>
      )}
    </Section>
  );
}

/** Ten minutes ago, or when the run began. */
const agoIn = ({ state }: LastState): string =>
  new Date(Math.max(Date.parse(state.startedAt), Date.parse(state.at) - AGO_MS)).toISOString();

/** A decision in plain words, with how often it came. The number of its order opens the order's story. */
export function Decision({ row, times, first, today }: RepeatedDecision & { readonly today: string }) {
  const { at, strategy, product, order, closed, meaning } = row;
  const { says, figures, code } = describeDecision(row);
  const nowMs = Date.parse(today);
  return (
    <li>
      <time dateTime={at} title={at}>
        {clockText(at, nowMs)}
      </time>
      <Badge tone={toneOf(row)}>{labelOf(row)}</Badge>
      <span class="whose">{[strategy, product].filter((part) => part !== null).join(' · ')}</span>
      {times > 1 && (
        <span class="times">
          {times} times{first === row ? '' : ` since ${clockText(first.at, nowMs)}`}
        </span>
      )}
      {order !== null && (
        <button type="button" class="link" aria-haspopup="dialog" aria-label={`Story of order ${order}`} onClick={() => showStory(order)}>
          {order}
        </button>
      )}
      {closed !== null && (
        <b class="made">
          made <Amount value={closed.profit} currency={closed.currency} />
        </b>
      )}
      <span class="words few-lines" title={meaning ?? undefined}>
        {says}
      </span>
      {figures !== null && (
        <span class="figures few-lines">
          {figures} {code !== null && <code>{code}</code>}
        </span>
      )}
    </li>
  );
}
