import { parentPort, workerData } from 'node:worker_threads';
import { ImportWriter } from '#adapters/recording/import/import-writer.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { FromImport, ImportTask, ToImport } from './import-thread.ts';

const { folder, quotes }: ImportTask = workerData;
const writer = new ImportWriter(folder, quotes);

parentPort?.on('message', (word: ToImport) => {
  parentPort?.postMessage(answerTo(word));
});

function answerTo(word: ToImport): FromImport {
  try {
    if (word.kind === 'finish') return { kind: 'finished', written: writer.finish(word.facts) };
    writer.write(word.day);
    return { kind: 'wrote' };
  } catch (error) {
    return { kind: 'failed', code: error instanceof KairosError ? error.code : null, why: messageOf(error) };
  }
}
