import { documentNamed, documents, INDEX, searched } from '#adapters/doc-pages/documents.ts';
import { documentHtml, hitsHtml } from '#adapters/doc-pages/html.ts';
import { KairosError } from '#domain/errors.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';

/** The questions whose answer is a page of the documents, or what a search in them found. */
export type DocumentAsk = Extract<HistoryAsk, { kind: 'document' | 'search' }>;

/** A page of the documents, or what a search found, as HTML. Throws NOT_FOUND for an unknown page. */
export function documentPage(ask: DocumentAsk): string {
  if (ask.kind === 'search') return hitsHtml(ask.words, searched(ask.words, documents()));
  const page = documentNamed(ask.name === '' ? INDEX : ask.name, documents());
  if (!page) throw new KairosError('NOT_FOUND', `there is no page ${ask.name}`);
  return documentHtml(page);
}
