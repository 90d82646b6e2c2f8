import type { DrawnFault, RoomName } from '#lab/arena/server/film.ts';
import type { FilmView } from './player.ts';
import { atEnd, countBy } from './scenes.ts';
import { Wires } from './wires.tsx';

const ROOMS: readonly RoomName[] = ['service', 'network', 'daemon', 'disk'];
/** How long a strike is shown, in real seconds. */
const STRUCK_S = 2;

/** The four rooms, with the messages in flight above them. */
export function Stage({ shown, isOver }: { readonly shown: FilmView; readonly isOver: boolean }) {
  return (
    <div class="stage">
      {ROOMS.map((name) => (
        <Room key={name} name={name} shown={shown} isOver={isOver} />
      ))}
      <Wires shown={shown} />
    </div>
  );
}

function Room({ name, shown, isOver }: { readonly name: RoomName; readonly shown: FilmView; readonly isOver: boolean }) {
  const { film, now, scene, speed } = shown;
  const until = countBy(film.strikes, now);
  const struck = film.strikes
    .slice(Math.max(0, until - 20), until)
    .findLast((one) => one.room === name && one.t > now - STRUCK_S * 1000 * speed);
  const standing = film.faults.filter((one) => one.room === name && isStanding(one, now));
  return (
    <section class={`room ${name}${struck ? ' struck' : ''}`} aria-labelledby={`room-${name}`}>
      <h2 id={`room-${name}`}>{film.names[name]}</h2>
      {standing.length > 0 && (
        <ul class="standing" aria-label="Faults that are about">
          {standing.map(({ fault, what, from }) => (
            <li key={`${fault} ${from}`}>
              <b>{fault}</b> {what}
            </li>
          ))}
        </ul>
      )}
      <dl>
        {(isOver ? atEnd(scene.rooms[name]) : scene.rooms[name]).map(({ label, value, tone }) => (
          <div key={label} class={tone}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {struck && (
        <p class="strike">
          <b>{struck.fault}</b> {struck.words}
        </p>
      )}
    </section>
  );
}

const isStanding = ({ from, to }: DrawnFault, now: number): boolean => now >= from && now < to;
