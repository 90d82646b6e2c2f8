import { parentPort, workerData } from 'node:worker_threads';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { KairosError, messageOf, never } from '#domain/errors.ts';
import { armView } from './arm-view.ts';
import { History } from './history.ts';
import { JournalBooks } from './journal-books.ts';
import type { Answered, Asked, PageQuestion, PageTask } from './page-thread.ts';

const task: PageTask = workerData;

let books: JournalBooks | undefined;
let history: History | undefined;

function answer(question: PageQuestion): unknown {
  books ??= new JournalBooks({ path: task.journal, run: task.run, schedule: task.schedule });
  switch (question.kind) {
    case 'feed':
      return books.feed(question.after, question.limit);
    case 'end':
      return books.end();
    case 'past':
      return { whole: books.readOn(systemTimers), json: JSON.stringify(books.past(systemTimers.wallMs())) };
    case 'history':
      history ??= new History(task);
      return history.answer(question.ask);
    case 'arming':
      return JSON.stringify(armView(task.journal, question));
    default:
      return never(question);
  }
}

function answered({ id, question }: Asked): Answered {
  try {
    return { id, value: answer(question) };
  } catch (error) {
    return { id, failed: { code: error instanceof KairosError ? error.code : null, message: messageOf(error) } };
  }
}

parentPort?.on('message', (asked: Asked) => parentPort?.postMessage(answered(asked)));
