import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Adds a line with the seconds of each file of tests, from its collection on, to the file that `FILE_TIMES` names. */
export default class FileTimes implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration } = module.diagnostic();
    appendFileSync(process.env.FILE_TIMES ?? '', `${((duration + collectDuration) / 1000).toFixed(1)}\t${module.relativeModuleId}\n`);
  }
}
