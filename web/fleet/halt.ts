import type { FleetHaltResult } from '#server/fleet/view.ts';
import type { ActOutcome, ActRequest } from '../acts/act-request.ts';

/** A halt of one daemon, or of all daemons if `name` is null. */
export const halt = (name: string | null, count: number): ActRequest => ({
  tone: 'stop',
  facts: [],
  fields: [],
  title: name === null ? `Halt ${count === 1 ? 'the daemon' : `all ${count} daemons`}` : `Halt ${name}`,
  says: [
    `No order of ${name ?? 'any of them'} goes out from now on: no opening and no exit. Positions stay as they are.`,
    'The halt stands over restarts, until somebody resumes on the page of the daemon or by `kairos resume`.',
  ],
  button: 'Halt now',
  act: 'halt',
  body: () => ({ daemon: name }),
  done: 'Halted.',
  told,
});

function told({ halted }: Readonly<Record<string, unknown>>): ActOutcome {
  const all: FleetHaltResult['halted'] = Array.isArray(halted) ? halted : [];
  const failed = all.filter((one) => one.failed !== null);
  const done = all.flatMap(({ name, failed: why, journals }) => {
    if (journals.length > 0) return `${name} (${journals.join(', ')})`;
    return why === null ? name : [];
  });
  return {
    isGood: failed.length === 0,
    says: [
      ...(done.length > 0 ? [`Halted: ${done.join(', ')}. No order goes out until trading is resumed there.`] : []),
      ...failed.map((one) => `${one.name} is not known to be halted: ${one.failed}.`),
    ],
  };
}
