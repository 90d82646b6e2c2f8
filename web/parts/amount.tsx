import { direction, signedMoney } from '../words/numbers.ts';

/** A gain or a loss with its sign and currency, on one line. */
export const Amount = ({ value, currency }: { readonly value: number | null | undefined; readonly currency: string }) => (
  <span class={direction(value)}>
    {signedMoney(value, currency)}
    {value === null || value === undefined ? '' : `\u00a0${currency}`}
  </span>
);
