import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, look } from './ask.ts';
import { model } from './model.ts';
import { useStore } from './store.ts';

/**
 * The daemon's answer to a path: loaded when a part appears, when the path or `again` changes, and after a reconnection.
 * Null before the first answer; an answer stays until the next one.
 */
export function useLookedUp<Body>(path: string | null, again: number | string = 0): Answer<Body> | null {
  const [answer, setAnswer] = useState<Answer<Body> | null>(null);
  const isLive = useStore(model.link).kind === 'live';
  const newest = useRef(0);
  useEffect(() => {
    if (path === null || !isLive) return;
    newest.current += 1;
    const own = newest.current;
    void look<Body>(path).then((found) => {
      if (own === newest.current) setAnswer(found);
    });
  }, [path, again, isLive]);
  return answer;
}
