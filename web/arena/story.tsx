import type { FilmPlayer, FilmView } from './player.ts';
import { clockText, countBy } from './scenes.ts';

const LINES = 14;

/** The last fault that struck, in words, and what must happen then. */
export function Faults({ shown: { film, now }, player }: { readonly shown: FilmView; readonly player: FilmPlayer }) {
  const until = countBy(film.strikes, now);
  const last = film.strikes[until - 1];
  const about = last && film.faults.find(({ fault, happens }) => fault === last.fault && happens !== '');
  const next = film.strikes[until];
  return (
    <section aria-label="Faults">
      <h2>
        Faults{' '}
        <small>
          {until} of {film.strikes.length} have struck
        </small>
      </h2>
      {last ? (
        <p class="last-fault">
          <b>{last.fault}</b> at {clockText(last.t)}: {last.words}
          {about && <small>What must happen: {about.happens}</small>}
        </p>
      ) : (
        <p class="nothing">None has struck so far.</p>
      )}
      {next && !film.isLive && (
        <p class="note">
          Next: {next.fault} at{' '}
          <button type="button" class="link" onClick={() => player.seek(next.t - 1_500)}>
            {clockText(next.t)}
          </button>
        </p>
      )}
    </section>
  );
}

/** What happened last, in plain words, newest first. */
export function Story({ shown: { film, now } }: { readonly shown: FilmView }) {
  const until = countBy(film.lines, now);
  const lines = film.lines.slice(Math.max(0, until - LINES), until).toReversed();
  return (
    <section class="story" aria-label="What happened last">
      <h2>What happened last</h2>
      {lines.length === 0 && <p class="nothing">Nothing yet.</p>}
      <ol>
        {lines.map(({ t, text }, index) => (
          <li key={until - index} class={/^[FI]\d\d/.test(text) ? 'strike' : ''}>
            <time>{clockText(t)}</time> {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
