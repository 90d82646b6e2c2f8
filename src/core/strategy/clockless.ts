/** What to use instead of a clock, and of random numbers. */
export const TIME = 'use view.now in decide, or timestamp() from kairos/strategy in signals';
export const RANDOM = 'use view.random() in decide, or seeded() from kairos/strategy';

/** What compiled strategies have instead of these objects of JavaScript, by their names, is a global of this name. */
export const CLOCKLESS = { global: '__kairosClockless', names: ['Date', 'Math', 'Intl'] } as const;

const membersOf = (object: object): PropertyDescriptorMap => Object.getOwnPropertyDescriptors(object);

function refusing(what: string): () => never {
  return () => {
    throw new Error(what);
  };
}

const clock = (what: string): (() => never) => refusing(`${what} reads the machine's clock: ${TIME}`);

interface ClassParts {
  readonly own?: PropertyDescriptorMap;
  readonly inherited?: PropertyDescriptorMap;
  /** Refuses what an instance is asked for with, or that none is. */
  readonly check?: (given: readonly unknown[], isNew: boolean) => void;
}

/** A class of the same instances, with some members in place of its own. */
function classLike(made: typeof Date | typeof Intl.DateTimeFormat, { own, inherited, check }: ClassParts): unknown {
  const like = function (...given: readonly unknown[]): unknown {
    check?.(given, new.target !== undefined);
    return Reflect.construct(made, given, new.target ?? like);
  };
  // Instances are also those of the class, to packages that a strategy imports.
  const prototype: object = Object.create(made.prototype, { ...inherited, constructor: { value: like } });
  const isOne = (one: unknown): boolean => one instanceof made;
  Object.defineProperties(like, { ...membersOf(made), ...own, prototype: { value: prototype }, [Symbol.hasInstance]: { value: isOne } });
  Object.freeze(prototype);
  return Object.freeze(like);
}

/** A day that is given; without one it would be today. */
function givenDay(day: unknown): unknown {
  if (day === undefined) clock('Intl.DateTimeFormat without a date')();
  return day;
}

/** `Date`, `Math` and `Intl` without the machine's clock and its random numbers, whatever way a strategy takes to them. */
function clockless(): object {
  const { DateTimeFormat } = Intl;
  const { prototype } = DateTimeFormat;
  const dates = classLike(Date, {
    own: { now: { value: clock('Date.now') } },
    check: (given, isNew) => {
      if (!isNew) clock('Date called as a function')();
      if (given.length === 0) clock('new Date without argument')();
    },
  });
  const formats = classLike(DateTimeFormat, {
    inherited: {
      format: {
        get(): unknown {
          const format = Reflect.get(prototype, 'format', this);
          return (day: unknown) => Reflect.apply(format, undefined, [givenDay(day)]);
        },
      },
      formatToParts: {
        value(day: unknown) {
          return Reflect.apply(prototype.formatToParts, this, [givenDay(day)]);
        },
      },
    },
  });
  const random = refusing(`Math.random cannot be replayed: ${RANDOM}`);
  return Object.freeze({
    Date: dates,
    Math: Object.freeze(Object.create(Object.prototype, { ...membersOf(Math), random: { value: random } })),
    Intl: Object.freeze(Object.create(Object.prototype, { ...membersOf(Intl), DateTimeFormat: { value: formats } })),
  });
}

/** Once a thread, before a strategy is loaded. */
export const setClockless = (): void => {
  Object.defineProperty(globalThis, CLOCKLESS.global, { value: clockless() });
};
