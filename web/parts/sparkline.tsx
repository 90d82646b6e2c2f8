import { sparkline } from '../charts/sparkline.ts';

const SIZE = { width: 84, height: 28 } as const;

/** What something had made, close by close, from nothing on: a line of the size of a word beside the figure that it comes to. */
export function Sparkline({ course }: { readonly course: readonly number[] }) {
  const { points, zero } = sparkline(course, SIZE);
  return (
    <svg class={`spark ${(course.at(-1) ?? 0) < 0 ? 'down' : 'up'}`} viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden="true">
      {course.length > 0 && (
        <>
          <line x1="0" x2={SIZE.width} y1={zero} y2={zero} />
          <polyline points={points} />
        </>
      )}
    </svg>
  );
}
