import { existsSync } from 'node:fs';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { runThread } from '#adapters/threads/thread.ts';
import type { RecordingsThread } from './recordings-thread.ts';

runThread<RecordingsThread>(({ data, post }) => {
  if (existsSync(data.dir)) tidyRecordings({ ...data, tell: (level, text) => post({ level, text }) });
});
