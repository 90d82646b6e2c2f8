import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import type { TidyTask, TidyWord } from './recordings-thread.ts';

const task: TidyTask = workerData;
const tell = (level: TidyWord['level'], text: string): void => parentPort?.postMessage({ level, text } satisfies TidyWord);

if (existsSync(task.dir)) tidyRecordings({ ...task, tell });
