/** Values by the names that a strategy gave them, in the order of their first. Names are few: looking through them is quickest. */
export class Observed {
  private readonly names: string[] = [];
  private readonly latest: unknown[] = [];

  set(name: string, value: unknown): void {
    const { names, latest } = this;
    for (let place = 0; place < names.length; place++) {
      if (names[place] !== name) continue;
      latest[place] = value;
      return;
    }
    names.push(name);
    latest.push(value);
  }

  clear(): void {
    this.names.length = 0;
    this.latest.length = 0;
  }

  /** As they stand. */
  values(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.names.map((name, place) => [name, this.latest[place]]));
  }
}
