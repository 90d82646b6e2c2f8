import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** So far above and below the window a part counts as in sight, so that it is there when a person comes to it. */
const NEAR = '1500px 0px';

/** Whether a part of the page is in sight or near: what costs something is done for nothing else. */
export function useInSight<Part extends Element>(): { readonly place: RefObject<Part>; readonly isInSight: boolean } {
  const place = useRef<Part>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver((seen) => setInSight(seen.at(-1)?.isIntersecting ?? false), { rootMargin: NEAR });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, isInSight };
}
