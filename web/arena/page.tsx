import { useStore } from '../live/store.ts';
import { Controls } from './controls.tsx';
import { Lights } from './lights.tsx';
import type { FilmPlayer } from './player.ts';
import { ScoreTable } from './score.tsx';
import { Stage } from './stage.tsx';
import { Faults, Story } from './story.tsx';

/** The arena: four rooms, the messages between them, faults, and the rules that must hold. */
export function Page({ player }: { readonly player: FilmPlayer }) {
  const shown = useStore(player.shown);
  const { film, now } = shown;
  const isOver = now >= film.madeMs && !film.isLive;
  return (
    <>
      <Controls player={player} shown={shown} />
      <main id="main">
        {isOver && film.verdict && (
          <section class={`verdict ${film.verdict.holds ? 'holds' : 'breaks'}`} role="status" aria-label="How it ended">
            <h2>{film.verdict.title}</h2>
            <p>{film.verdict.text}</p>
          </section>
        )}
        <Stage shown={shown} />
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
