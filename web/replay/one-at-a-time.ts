import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, look } from '../live/ask.ts';

/** The answer to a path that changes often. One request is in flight; of the paths that come meanwhile, the newest is requested next. */
export function useOneAtATime<Body>(path: string): Answer<Body> | null {
  const [answer, setAnswer] = useState<Answer<Body> | null>(null);
  const state = useRef({ wanted: '', isAsking: false, isGone: false });
  useEffect(() => {
    const { current } = state;
    current.wanted = path;
    if (!current.isAsking) void ask();
    async function ask(): Promise<void> {
      current.isAsking = true;
      for (let asked = ''; asked !== current.wanted && !current.isGone; ) {
        asked = current.wanted;
        const found = await look<Body>(asked);
        if (!current.isGone) setAnswer(found);
      }
      current.isAsking = false;
    }
  }, [path]);
  useEffect(
    () => () => {
      state.current.isGone = true;
    },
    [],
  );
  return answer;
}
