/**
 * Loaded ahead of a process under test (`NODE_OPTIONS=--import`): its wall clock stands `TEST_CLOCK_BEHIND_MS` behind, so that
 * a later start of the same daemon finds what fell due in the hours between, and nobody has to wait for them.
 */
const behindMs = Number(process.env.TEST_CLOCK_BEHIND_MS ?? 0);
const RealDate = Date;

class EarlierDate extends RealDate {
  constructor(...args: [] | ConstructorParameters<DateConstructor>) {
    if (args.length === 0) super(RealDate.now() - behindMs);
    else super(...args);
  }

  static override now(): number {
    return RealDate.now() - behindMs;
  }
}

Object.assign(globalThis, { Date: EarlierDate });
