import { useEffect, useState } from 'preact/hooks';
import { type LastState, model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import type { Reach } from '../words/reach.ts';

const LINKS: Readonly<Record<Reach, string>> = {
  joining: 'The page joins the daemon.',
  live: 'The page is live.',
  lost: 'The connection to the daemon is lost.',
  other: 'Another daemon listens at the address of this page.',
};

/** Announces to screen readers what a person must not miss: the state of trading, unknown outcomes, the connection. */
export function Announcer({ told: { state } }: { readonly told: LastState }) {
  const link = useStore(model.link).kind;
  const news = useStore(model.news);
  const [said, say] = useState('');
  useEffect(() => say(`Trading is ${state.trading}.`), [state.trading]);
  useEffect(() => {
    if (state.unknowns > 0) say(`${state.unknowns} orders of unknown outcome.`);
  }, [state.unknowns]);
  useEffect(() => say(LINKS[link]), [link]);
  useEffect(() => {
    if (news !== '') say(news);
  }, [news]);
  return (
    <>
      <div class="unseen" aria-live="polite">
        {said}
      </div>
      {news !== '' && (
        <div class="toast">
          {news}{' '}
          <button type="button" class="plain" aria-label="Shut this message" onClick={() => model.news.set('')}>
            ×
          </button>
        </div>
      )}
    </>
  );
}
