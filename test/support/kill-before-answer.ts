/**
 * Loaded ahead of a daemon under test (`NODE_OPTIONS=--import`): the process is gone by SIGKILL in the instant in which a batch of
 * notifications is written to the journal and the thread that would answer them has not heard of it.
 */
import { Worker } from 'node:worker_threads';

const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function told(
  this: Worker,
  message: { readonly kind?: string; readonly written?: boolean } | undefined,
  ...more
) {
  if (message?.kind === 'settled' && message.written === true) process.kill(process.pid, 'SIGKILL');
  return postMessage.call(this, message, ...more);
};
