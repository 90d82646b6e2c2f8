import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { KairosError, messageOf, never } from '#domain/errors.ts';
import { armView } from './arm-view.ts';
import { History } from './history.ts';
import { JournalBooks } from './journal-books.ts';
import type { Answered, Asked, PageQuestion, PageTask, PageThreadTypes } from './page-thread.ts';

/** Answers questions from journal and recordings, which are opened by the first question that needs them. */
class PageReader {
  private readonly task: PageTask;
  private books: JournalBooks | undefined;
  private history: History | undefined;

  constructor(task: PageTask) {
    this.task = task;
  }

  answered({ id, question }: Asked): Answered {
    try {
      return { id, value: this.answer(question) };
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
        this.history ??= new History({ ...this.task, timers: systemTimers });
        return this.history.answer(question.ask);
      case 'arming':
        return JSON.stringify(armView(journal, question));
      default:
        return never(question);
    }
  }
}

runThread<PageThreadTypes>(({ data, post, onMessage }) => {
  const reader = new PageReader(data);
  onMessage((asked) => post(reader.answered(asked)));
});
