import type { ManualTask } from '#domain/manual-request.ts';

/** What ends a closing that is under way; undefined for any other request. */
export function closingEnd({ act, ended, parts: [part] }: Pick<ManualTask, 'act' | 'ended' | 'parts'>) {
  if (ended || act === 'order' || !part) return undefined;
  const { book, product } = part;
  if (act === 'flatten') return { act, title: 'End every closing', body: { end: true } };
  return { act, title: `End the closing of ${book}`, body: { strategy: book, product, end: true } };
}
