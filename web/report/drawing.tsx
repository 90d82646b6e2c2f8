import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Room around what is drawn, in pixels. */
export const MARGIN = { left: 64, right: 14, top: 8, bottom: 22 };
const MIN_WIDTH = 200;

/** A small drawing, as wide as there is room; on paper it is scaled. */
export function Drawing({
  height,
  label,
  role = 'img',
  children,
}: {
  readonly height: number;
  readonly label: string;
  /** `group` where something in it can be pressed. */
  readonly role?: 'img' | 'group';
  readonly children: (width: number) => ComponentChildren;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (!place.current) return;
    const observer = new ResizeObserver(([seen]) => {
      const wide = Math.round(seen?.contentRect.width ?? 0);
      // What is folded has no width.
      if (wide > 0) setWidth(Math.max(MIN_WIDTH, wide));
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} class="drawing">
      <svg role={role} aria-label={label} viewBox={`0 0 ${width} ${height}`}>
        {children(width)}
      </svg>
    </div>
  );
}

/** Lines across at round values, each with its text; that of zero stands out. */
export function Grid({
  values,
  y,
  width,
  text,
}: {
  readonly values: readonly number[];
  readonly y: (value: number) => number;
  readonly width: number;
  readonly text: (value: number) => string;
}) {
  return (
    <>
      {values.map((value) => (
        <g key={value}>
          <line class={value === 0 ? 'zero' : 'grid'} x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} />
          <text x={MARGIN.left - 6} y={y(value) + 4} text-anchor="end">
            {text(value)}
          </text>
        </g>
      ))}
    </>
  );
}
