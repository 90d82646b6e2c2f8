import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const SLIDE_MS = 240;
/** Matches where a person wants nothing to move. */
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

/** Rows that come on top slide in and push the others down, by transform: nothing of the page is laid out anew. `first` names the top row. */
export function useSlide(list: RefObject<HTMLElement>, first: number | undefined): void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])].filter((row): row is HTMLElement => row instanceof HTMLElement);
    const [top, old] = [rows[0], rows.find((row) => row === before.current)];
    before.current = top ?? null;
    if (!top || !old || !list.current || list.current.scrollTop > 0 || STILL.matches) return;
    const by = old.offsetTop - top.offsetTop;
    const seen = by + list.current.clientHeight;
    for (const row of rows) {
      if (row.offsetTop - top.offsetTop > seen) break;
      row.animate([{ transform: `translateY(${-by}px)` }, { transform: 'none' }], { duration: SLIDE_MS, easing: 'ease-out' });
    }
  }, [first]);
}
