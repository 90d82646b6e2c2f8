import { useEffect, useRef, useState } from 'preact/hooks';
import type { Travel } from '#lab/arena/server/film.ts';
import type { FilmView } from './player.ts';
import { countBy } from './scenes.ts';
import { type Ways, waysIn } from './ways.ts';

/** How long a message in flight is shown, in real seconds. */
const SEEN_S = 0.7;
/** Maximum number of messages that are shown at a time. */
const MAX_SEEN = 60;

/** Quotes, orders, answers and rows as dots on their way from room to room. */
export function Wires({ shown: { film, now, speed } }: { readonly shown: FilmView }) {
  const place = useRef<SVGSVGElement>(null);
  const [ways, setWays] = useState<Ways>({});
  useEffect(() => {
    const stage = place.current?.parentElement;
    if (!stage) return undefined;
    const measure = () => setWays(waysIn(stage));
    const observer = new ResizeObserver(measure);
    observer.observe(stage);
    for (const room of stage.querySelectorAll('.room')) observer.observe(room);
    measure();
    return () => observer.disconnect();
  }, []);
  const spanMs = SEEN_S * 1000 * speed;
  const until = countBy(film.travels, now);
  const seen = film.travels.slice(Math.max(countBy(film.travels, now - spanMs), until - MAX_SEEN), until);
  return (
    <svg ref={place} class="wires" aria-hidden="true">
      {seen.map((travel, index) => (
        <Dot key={`${travel.t} ${until - seen.length + index}`} travel={travel} ways={ways} share={(now - travel.t) / spanMs} />
      ))}
    </svg>
  );
}

function Dot({ travel, ways, share }: { readonly travel: Travel; readonly ways: Ways; readonly share: number }) {
  const [from, to] = [ways[travel.from], ways[travel.to]];
  if (!from || !to) return null;
  const x = from.x + (to.x - from.x) * share;
  const y = from.y + (to.y - from.y) * share;
  // Messages in both directions keep to their own side.
  const beside = travel.what === 'order' ? 7 : travel.what === 'quote' ? -7 : 0;
  const isLevel = Math.abs(to.x - from.x) > Math.abs(to.y - from.y);
  return (
    <circle
      class={`${travel.what} ${travel.tone}`}
      r={travel.what === 'quote' ? 4 : 6}
      cx={isLevel ? x : x + beside}
      cy={isLevel ? y + beside : y}
    >
      <title>{travel.text}</title>
    </circle>
  );
}
