import type { ManualTask } from '#domain/manual-request.ts';

/** How a person's request ended, by what came of its parts; null while it goes on, and where it had none. */
export function manualEnd({
  ended,
  parts,
}: Pick<ManualTask, 'ended' | 'parts'>): { readonly isGood: boolean; readonly says: string } | null {
  if (!ended || parts.length === 0) return null;
  if (parts.every(({ state }) => state === 'done')) return { isGood: true, says: 'Done.' };
  const isPartly = parts.some(({ state, orders }) => state === 'done' || orders.some((one) => one.state === 'accepted'));
  return { isGood: false, says: isPartly ? 'Not all of it was done.' : 'Nothing of it was done.' };
}
