import type { FilmView } from './player.ts';

/** The rules as lights, each with its number of checks. */
export function Lights({ shown: { film, scene } }: { readonly shown: FilmView }) {
  const looked = scene.checks.reduce((sum, count) => sum + count, 0);
  return (
    <section class="lights" aria-label="What must hold">
      <h2>
        What must hold <small>looked at {looked.toLocaleString('en')} times</small>
      </h2>
      <ul>
        {film.lights.map(({ code, title }, index) => {
          const count = scene.checks[index] ?? 0;
          const why = scene.broken[code];
          const state = why !== undefined ? 'breaks' : count > 0 ? 'holds' : 'unseen-yet';
          return (
            <li key={code} class={state}>
              <i aria-hidden="true" />
              <b>{code}</b>
              <span>
                {title}
                {why !== undefined && <em> {why}</em>}
              </span>
              <small>
                {why !== undefined ? 'does not hold' : count > 0 ? count.toLocaleString('en') : 'not yet'}
                <span class="unseen">{count > 0 ? ' times' : ''}</span>
              </small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
