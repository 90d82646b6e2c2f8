import type { Film } from '#lab/arena/server/film.ts';
import { shippedStrategies } from '#lab/simulator/campaign/shipped.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';
import { simulate } from '#lab/simulator/simulation.ts';
import { Camera } from './camera.ts';
import { filmOf } from './film-of.ts';
import { numbersTold } from './numbers.ts';

/** A message of the filming process: its progress from 0 to 1, or the film. */
export type FilmReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'far'; readonly share: number }
  | { readonly kind: 'film'; readonly film: Film; readonly outcome: SimulationOutcome };

/** Number of samples of the rooms in a history. */
const LOOKS = 3_600;
const MIN_EVERY_MS = 500;
/** Width of `00:00:00.000` and two spaces before a line's text. */
const CLOCK_WIDTH = 14;

const tell = (report: FilmReport): void => void process.send?.(report);

const shipped = await shippedStrategies();

process.on('message', (plan: SimulationPlan) => {
  const numbers = numbersTold();
  const lengthMs = plan.hours * 3_600_000;
  const open: { camera?: Camera } = {};
  let told = 0;
  const onLine = (text: string): void => {
    const { camera } = open;
    if (!camera) return;
    camera.addLine(text.slice(CLOCK_WIDTH));
    const share = camera.now / lengthMs;
    if (share - told < 0.01) return;
    told = share;
    tell({ kind: 'far', share });
  };
  const played = simulate(plan, shipped, {
    onLine,
    film: (stage) => {
      open.camera = new Camera(stage, { numbers, everyMs: Math.max(MIN_EVERY_MS, lengthMs / LOOKS) });
      return open.camera;
    },
  });
  played.then(
    (outcome) => {
      const { camera } = open;
      if (!camera) throw new Error('nothing was filmed');
      camera.end(outcome.violation);
      tell({ kind: 'film', film: filmOf({ plan, outcome, camera, numbers }), outcome });
    },
    (error: unknown) => {
      throw error;
    },
  );
});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });
