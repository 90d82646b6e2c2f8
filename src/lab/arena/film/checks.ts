/** Which invariants the simulator's auditor checks at which event: the page's lights count these checks. A test compares the table with the auditor. */
export const LOOKED_AT = {
  /** An order is written to the network. */
  order: ['I01', 'I02', 'I05', 'I07', 'I09', 'I10', 'I12', 'I13', 'I14', 'I24'],
  /** The journal has an order's outcome. */
  answered: ['I04'],
  notSent: ['I06'],
  unknown: ['I33'],
  subscribed: ['I22'],
  opening: ['I23'],
  /** A process starts from what the disk kept. */
  starting: ['I20'],
  told: ['I15'],
  notified: ['I16'],
  forged: ['I17'],
  halted: ['I08', 'I32'],
  /** A strategy is created at the service. */
  creating: ['I03'],
  /** A process has stopped in good order. */
  leftOver: ['I27'],
  /** An uncaught error. */
  threw: ['I28'],
  /** A second process is started. */
  second: ['I29'],
  /** Strangers ask the control server. */
  strangers: ['I35'],
  /** A strategy's code does not return. */
  standing: ['I34'],
  /** Once, at the end of the history. */
  end: ['I06', 'I07b', 'I11', 'I15', 'I16', 'I18', 'I19', 'I20', 'I21', 'I26', 'I31', 'books'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Occasion = keyof typeof LOOKED_AT;

/** Lights without a number in docs/invariants.md. */
export const OTHER_LIGHTS: Readonly<Record<string, string>> = {
  books: "the daemon's books and the service's are equal, to the last decimal",
};

/** Every light, by its code. */
export const LIGHT_CODES: readonly string[] = [...new Set(Object.values(LOOKED_AT).flat())].sort();
