import { direction, signedMoney } from '../words/numbers.ts';

/** A gain or a loss with its sign and currency, on one line. */
export const Amount = ({ value, currency }: { readonly value: number | null | undefined; readonly currency: string }) => (
  <span class={direction(value)}>
    {signedMoney(value, currency)}
    {value === null || value === undefined ? '' : `\u00a0${currency}`}
  </span>
);

/** Gains and losses in several currencies, each on its own line; a dash where there is none. */
export const Amounts = ({ of }: { readonly of: readonly { readonly profit: number; readonly currency: string }[] }) => (
  <>
    {of.length === 0 && '\u2013'}
    {of.map(({ profit, currency }) => (
      <div key={currency}>
        <Amount value={profit} currency={currency} />
      </div>
    ))}
  </>
);
