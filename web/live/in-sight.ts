import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Margin above and below the window within which a part counts as visible and is loaded early. */
const NEAR = '1500px 0px';

/** True if a part of the page is visible or near. Only such parts do expensive work. */
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
