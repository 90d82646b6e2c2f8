import { direction, signedMoney } from '../words/numbers.ts';

/** A gain or a loss with its sign and currency. */
export const Amount = ({ value, currency }: { readonly value: number | null | undefined; readonly currency: string }) => (
  <span class={direction(value)}>
    {signedMoney(value)}
    {value === null || value === undefined ? '' : ` ${currency}`}
  </span>
);
