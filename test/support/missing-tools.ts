import type { Reporter, TestModule } from 'vitest/node';
import { TAGS } from './tools.ts';

/** Ends a run with a line that says which tests were skipped for want of a tool, and how to install it. */
export default class MissingTools implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
    const missing = TAGS.filter(({ skip }) => skip).flatMap(({ name, description }) => {
      const count = skipped.filter(({ tags }) => tags.includes(name)).length;
      return count === 0 ? [] : [`${count} for want of ${name} (${description})`];
    });
    if (missing.length > 0) console.log(`Skipped tests: ${missing.join(', ')}`);
  }
}
