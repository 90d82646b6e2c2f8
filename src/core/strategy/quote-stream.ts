import { Observable, type Subscriber } from 'rxjs';

/**
 * The quotes of one strategy, as its `quotes$`. A Subject with less in it: it neither ends nor fails, and the host, which
 * gives it each quote, collects what its readers throw.
 */
export class QuoteStream<T> {
  /** Replaced at each change, so that those who come and go while a quote is given do not matter to it. */
  private readers: readonly Subscriber<T>[] = [];

  readonly values$ = new Observable<T>((reader) => {
    this.readers = [...this.readers, reader];
    return () => {
      this.readers = this.readers.filter((one) => one !== reader);
    };
  });

  get isUnread(): boolean {
    return this.readers.length === 0;
  }

  /** Its reader, where it has one alone. */
  get onlyReader(): Subscriber<T> | undefined {
    return this.readers.length === 1 ? this.readers[0] : undefined;
  }

  next(value: T): void {
    const { readers } = this;
    if (readers.length === 1) readers[0]?.next(value);
    else for (const reader of readers) reader.next(value);
  }
}
