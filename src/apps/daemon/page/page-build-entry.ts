import { parentPort, workerData } from 'node:worker_threads';
import { builtPage } from './page-build.ts';
import type { BuildTask } from './page-files.ts';

const task: BuildTask = workerData;

parentPort?.postMessage(await builtPage(task));
