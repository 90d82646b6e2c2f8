import { filter, map, Subject, scan } from 'rxjs';

/** Lengths of two moving averages, in values. */
interface Lengths {
  readonly fast: number;
  readonly slow: number;
}

/** Two exponential averages of a price and whether they crossed, by three rxjs operators and nothing else. */
export class OperatorChain<T> {
  crossings = 0;
  private readonly values$ = new Subject<T>();
  private above = false;

  constructor(lengths: Lengths, price: (value: T) => number) {
    const [fast, slow] = [2 / (lengths.fast + 1), 2 / (lengths.slow + 1)];
    this.values$
      .pipe(
        map(price),
        scan(
          (last: Lengths | null, x): Lengths =>
            last === null ? { fast: x, slow: x } : { fast: last.fast + fast * (x - last.fast), slow: last.slow + slow * (x - last.slow) },
          null,
        ),
        filter((averages) => averages !== null && averages.fast > averages.slow !== this.above),
      )
      .subscribe(() => {
        this.above = !this.above;
        this.crossings += 1;
      });
  }

  next(value: T): void {
    this.values$.next(value);
  }
}
