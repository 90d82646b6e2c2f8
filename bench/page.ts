import { ordersBeside } from './beside.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './result.ts';

const PAGES = 20;

/** Orders beside twenty pages to which everything is streamed, one of which does not read. Each order makes four rows, which every page is told. */
export async function benchPage({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const words = { beside: `${PAGES} pages`, alone: 'no page' };
  const { ratios, beside } = await ordersBeside({ words, facts: { pages: PAGES }, begin: { withPages: true }, quick });
  const told = beside.map(({ report }) => report.told ?? { pages: 0, events: 0, bytes: 0 });
  if (told.some(({ pages, events }) => events < pages)) throw new Error('pages listened and were told nothing');
  const perPage = (of: 'events' | 'bytes'): number =>
    told.reduce((sum, one) => sum + one[of] / one.pages, 0) / beside.reduce((sum, { report }) => sum + report.wallMs / 1000, 0);
  return {
    name: 'twenty pages, one stalled',
    ratios,
    figures: [
      { label: 'events that a page is told a second', value: perPage('events'), unit: '' },
      { label: 'kilobytes that a page is told a second', value: perPage('bytes') / 1000, unit: '' },
    ],
  };
}
