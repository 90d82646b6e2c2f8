import type { EndpointName } from '#server/control/endpoints.ts';
import { Store } from '../live/store.ts';

/** A field of an act's dialog, besides name and reason. */
export type FormField =
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
  | { readonly kind: 'text'; readonly name: string; readonly label: string; readonly initial?: string; readonly isOptional?: true }
  /** A word that must be typed exactly before anything is sent. */
  | { readonly kind: 'word'; readonly name: string; readonly label: string; readonly word: string };

/** The values that a person filled in, by field name. */
export type FormValues = Readonly<Record<string, string>>;

/** The result of an act. */
export interface ActOutcome {
  readonly isGood: boolean;
  readonly says: readonly string[];
}

/** An act for confirmation by a person: exactly what will happen, and the request that is sent. */
export interface ActRequest {
  readonly title: string;
  /** Sentences. */
  readonly says: readonly string[];
  /** Facts to see before confirming, by name. */
  readonly facts: readonly { readonly key: string; readonly value: string }[];
  /** `stop`: for what stops or cannot be undone. */
  readonly tone: 'stop' | 'plain';
  /** True of what is never undone: its button does not have the first focus. */
  readonly isForGood?: true;
  readonly button: string;
  /** `sweep`: of the fleet's own server. */
  readonly act: EndpointName | 'sweep';
  readonly fields: readonly FormField[];
  /** Path of a preview of the filled-in act; null while fields are missing. */
  readonly preview?: (filled: FormValues) => string | null;
  /** The request without who and why. */
  readonly body: (filled: FormValues) => Readonly<Record<string, unknown>>;
  /** Shown when the act is done, and of a manual request until it has ended. */
  readonly done: string;
  /** What shows its progress: a manual request or one to the service's own strategies by the `id` of the answer, a backtest by the state. */
  readonly follow?: 'by-hand' | 'remote' | 'backtest';
  /** The result in words by the answer, in addition to `done`. */
  readonly told?: (answer: Readonly<Record<string, unknown>>) => ActOutcome;
  /** What should be done first, and where. */
  readonly before?: { readonly says: string; readonly href: string; readonly link: string };
}

/** The act that the dialog shows. */
export const askedStore = new Store<ActRequest | null>(null);

export const askFor = (asked: ActRequest): void => askedStore.set(asked);
