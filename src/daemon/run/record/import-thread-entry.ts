import { ImportWriter } from '#adapters/recording/import/import-writer.ts';
import { runThread } from '#adapters/threads/thread.ts';
import type { ImportThread } from './import-thread.ts';

runThread<ImportThread>(({ data: { folder, quotes }, post, onMessage }) => {
  const writer = new ImportWriter(folder, quotes);
  onMessage((message) => {
    if (message.kind === 'finish') return post(writer.finish(message.facts));
    writer.write(message.day);
    post(null);
  });
});
