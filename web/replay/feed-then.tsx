import { useState } from 'preact/hooks';
import type { DecisionView } from '#server/page/past-view.ts';
import type { ReplayView } from '#server/page/replay-view.ts';
import { Decision } from '../parts/feed.tsx';
import { Section } from '../parts/section.tsx';
import { isIn } from '../words/kinds.ts';
import { timesOf } from '../words/repeats.ts';

/** The decisions up to the moment, the newest first. */
export function FeedThen({ view: { feed, row, to } }: { readonly view: ReplayView }) {
  const [isAll, setAll] = useState(true);
  const rows = feed.filter((one: DecisionView) => isAll || one.seq === row?.seq || isIn('what matters', one));
  return (
    <Section id="feed" title="Decisions up to then">
      <div class="filters">
        <label>
          <input type="checkbox" checked={!isAll} onChange={({ currentTarget }) => setAll(!currentTarget.checked)} /> what matters
        </label>
      </div>
      <ol class="rows" aria-label="Decisions, the newest first">
        {rows.map((one) => (
          <Decision key={one.seq} row={one} times={timesOf(one)} first={one} today={to} />
        ))}
      </ol>
    </Section>
  );
}
