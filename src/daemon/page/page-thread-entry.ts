import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { KairosError, messageOf, never } from '#domain/errors.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import { History } from './history.ts';
import { JournalBooks } from './journal-books.ts';
import type { PageQuestion, PageRequest, PageResponse, PageTask, PageThreadTypes } from './page-thread.ts';

/** Answers questions from journal and recordings, which are opened by the first question that needs them. */
class PageReader {
  private readonly task: PageTask;
  private books: JournalBooks | undefined;
  private history: History | undefined;

  constructor(task: PageTask) {
    this.task = task;
  }

  async answered({ id, question }: PageRequest): Promise<PageResponse> {
    try {
      return { id, value: await this.answer(question) };
    } catch (error) {
      return { id, failed: { code: error instanceof KairosError ? error.code : null, message: messageOf(error) } };
    }
  }

  private answer(question: PageQuestion): unknown {
    const { journal, run, schedule } = this.task;
    this.books ??= new JournalBooks({ path: journal, run, schedule });
    const { books } = this;
    switch (question.kind) {
      case 'feed':
        return books.feed(question.after, question.limit);
      case 'end':
        return books.end();
      case 'past':
        return { whole: books.readOn(systemTimers), json: JSON.stringify(books.past(systemTimers.wallMs())) };
      case 'prepare':
        return books.prepare(systemTimers);
      case 'history':
        return this.past(question.ask);
      case 'arming':
        return import('./arm-view.ts').then(({ armView }) => JSON.stringify(armView(journal, question)));
      default:
        return never(question);
    }
  }

  /** What makes reports, or renders documents, is loaded for the first of them: no first screen waits for it. */
  private past(ask: HistoryAsk): string | Promise<string> {
    if (ask.kind === 'document' || ask.kind === 'search') {
      return import('./document-pages.ts').then(({ documentPage }) => documentPage(ask));
    }
    if (ask.kind === 'run-report' || ask.kind === 'comparison') {
      return import('./run-reports.ts').then(({ reportsOfRuns }) => reportsOfRuns(ask, this.task));
    }
    this.history ??= new History({ ...this.task, timers: systemTimers });
    if (ask.kind === 'prices') return this.history.prices(ask);
    return ask.kind === 'chart' ? this.history.chart(ask) : this.history.answer(ask);
  }
}

runThread<PageThreadTypes>(({ data, post, onMessage }) => {
  const reader = new PageReader(data);
  onMessage(async (asked) => post(await reader.answered(asked)));
});
