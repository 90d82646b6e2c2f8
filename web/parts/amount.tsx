import { direction, signed } from '../words/numbers.ts';

/** A gain or a loss with its sign and currency. */
export const Amount = ({
  value,
  currency,
  places = 2,
}: {
  readonly value: number | null | undefined;
  readonly currency: string;
  readonly places?: number;
}) => (
  <span class={direction(value)}>
    {signed(value, places)}
    {value === null || value === undefined ? '' : ` ${currency}`}
  </span>
);
