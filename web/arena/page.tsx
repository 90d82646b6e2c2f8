import type { FilmEnding } from '#lab/arena/server/film.ts';
import { useStore } from '../live/store.ts';
import { Controls } from './controls.tsx';
import { Lights } from './lights.tsx';
import type { FilmPlayer, FilmView } from './player.ts';
import { ScoreTable } from './score.tsx';
import { Stage } from './stage.tsx';
import { Faults, Story } from './story.tsx';

/** How a history ended: well only where each rule had a chance to be broken. */
function Verdict({ ending: { holds, title, text }, shown: { film, scene } }: { readonly ending: FilmEnding; readonly shown: FilmView }) {
  const tries = film.score?.rows.map(({ chances }) => chances) ?? film.lights.map((_, index) => scene.checks[index] ?? 0);
  const untried = tries.filter((count) => count === 0).length;
  return (
    <section class={`verdict ${!holds ? 'breaks' : untried > 0 ? 'untried' : 'holds'}`} role="status" aria-label="How it ended">
      <h2>{title}</h2>
      <p>
        {text}
        {untried > 0 && `; ${untried} of ${tries.length} rules had no chance to be broken`}
      </p>
    </section>
  );
}

/** The arena: four rooms, the messages between them, faults, and the rules that must hold. */
export function Page({ player }: { readonly player: FilmPlayer }) {
  const shown = useStore(player.shown);
  const { film, now } = shown;
  const isOver = now >= film.madeMs && !film.isLive;
  return (
    <>
      <Controls player={player} shown={shown} />
      <main id="main">
        {isOver && film.verdict && <Verdict ending={film.verdict} shown={shown} />}
        <Stage shown={shown} isOver={isOver} />
        <div class="columns">
          {film.score ? <ScoreTable score={film.score} /> : <Lights shown={shown} />}
          <div class="told">
            <Faults shown={shown} player={player} />
            <Story shown={shown} />
          </div>
        </div>
        <section aria-label="What was drawn">
          <h2>What was drawn</h2>
          <dl class="facts">
            {film.facts.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      </main>
    </>
  );
}
