import { existsSync } from 'node:fs';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { runChild } from '#adapters/threads/child.ts';
import type { RecordingsChild } from './keep-recordings.ts';

runChild<RecordingsChild>(({ data, post }) => {
  if (existsSync(data.dir)) tidyRecordings({ ...data, tell: (level, text) => post({ level, text }) });
});
