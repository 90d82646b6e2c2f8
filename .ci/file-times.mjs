import { appendFileSync } from 'node:fs';

/** Adds a line with the seconds of each file of tests, from its collection on, to the file that `FILE_TIMES` names. */
export default class FileTimes {
  onTestModuleEnd(module) {
    const { duration, collectDuration } = module.diagnostic();
    appendFileSync(process.env.FILE_TIMES, `${((duration + collectDuration) / 1000).toFixed(1)}\t${module.relativeModuleId}\n`);
  }
}
