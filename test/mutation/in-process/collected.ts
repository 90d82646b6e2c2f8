export type Body = (...given: readonly unknown[]) => unknown;

type Hook = 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach';

interface Suite {
  readonly name: string;
  readonly within: Suite | undefined;
  readonly hooks: Readonly<Record<Hook, Body[]>>;
}

/** A test as a file wrote it down, to be run any number of times. */
export interface Collected {
  /** Its file and its names, which differ from those of all others. */
  readonly id: string;
  readonly file: string;
  readonly suites: readonly Suite[];
  /** Undefined where it is skipped. */
  readonly body: Body | undefined;
}

const suiteOf = (name: string, within?: Suite): Suite => ({
  name,
  within,
  hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] },
});

/** The tests of the file that is being loaded. */
class Collection {
  private file = '';
  private at = suiteOf('');
  private found = new Map<string, Collected>();
  private finished: Body[] = [];

  /** Loads a file of tests. Errors: what its loading throws. */
  async load(file: string, load: () => Promise<unknown>): Promise<readonly Collected[]> {
    this.file = file;
    this.at = suiteOf('');
    this.found = new Map();
    await load();
    return [...this.found.values()];
  }

  test(name: string, body: Body | undefined): void {
    const suites: Suite[] = [];
    for (let suite: Suite | undefined = this.at; suite !== undefined; suite = suite.within) suites.unshift(suite);
    const words = [...suites.map((suite) => suite.name), name].filter((word) => word !== '').join(' > ');
    let id = `${this.file}#${words}`;
    while (this.found.has(id)) id += "'";
    this.found.set(id, { id, file: this.file, suites, body });
  }

  suite(name: string, fill: () => unknown): void {
    const outer = this.at;
    this.at = suiteOf(name, outer);
    fill();
    this.at = outer;
  }

  hook(kind: Hook, body: Body): void {
    this.at.hooks[kind].push(body);
  }

  onFinished(body: Body): void {
    this.finished.push(body);
  }

  /** What the test that has just run wants done behind it, the last first. */
  takeFinished(): readonly Body[] {
    const all = this.finished.reverse();
    this.finished = [];
    return all;
  }
}

export const collected = new Collection();
