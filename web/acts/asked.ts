import type { EndpointName } from '#server/control/endpoints.ts';
import { Store } from '../live/store.ts';

/** Something that a person is asked for before the act, besides name and reason. */
export type Field =
  | { readonly kind: 'decimal'; readonly name: string; readonly label: string; readonly initial: string; readonly unit: string }
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly label: string;
      readonly initial: string;
      readonly choices: readonly string[];
    }
  /** A time in UTC, to the minute. */
  | { readonly kind: 'moment'; readonly name: string; readonly label: string }
  | { readonly kind: 'text'; readonly name: string; readonly label: string }
  /** A word that must be typed as it is before anything is sent. */
  | { readonly kind: 'word'; readonly name: string; readonly label: string; readonly word: string };

/** What a person has filled in, by field name. */
export type Filled = Readonly<Record<string, string>>;

/** What an act came to. */
export interface Outcome {
  readonly isGood: boolean;
  readonly says: readonly string[];
}

/** An act as it is put before a person: exactly what will happen, and what is sent when they say yes. */
export interface Asked {
  readonly title: string;
  /** Sentences. */
  readonly says: readonly string[];
  /** What must be seen before a yes, by name. */
  readonly facts: readonly { readonly key: string; readonly value: string }[];
  /** `stop`: for what stops or cannot be undone. */
  readonly tone: 'stop' | 'plain';
  readonly button: string;
  readonly act: EndpointName;
  readonly fields: readonly Field[];
  /** Where the daemon says what it would come to as it is filled in; null while too little is. */
  readonly preview?: (filled: Filled) => string | null;
  /** The request but for who and why. */
  readonly body: (filled: Filled) => Readonly<Record<string, unknown>>;
  /** Said when it is done. */
  readonly done: string;
  /** The answer has an `id` under which the daemon says how far it has come: of a manual request, or of the service's own strategies. */
  readonly follow?: 'by-hand' | 'remote';
  /** What came of it, from the answer, where `done` is not all that there is to say. */
  readonly told?: (answer: Readonly<Record<string, unknown>>) => Outcome;
  /** What is better done first, and where. */
  readonly before?: { readonly says: string; readonly href: string; readonly link: string };
}

/** The act that is before the person now. */
export const askedStore = new Store<Asked | null>(null);

export const askFor = (asked: Asked): void => askedStore.set(asked);
