import { currencyText, moneyOf, type TrialResult } from '#research/replay/trial.ts';

/** Share of a profit below which what is open of it is not worth a word. */
const WORTH_SAYING = 0.01;

type MoneyFigures = Pick<TrialResult, 'figures' | 'currency'>;

/** What positions that are open at the end of the window have won or lost, in the currency of the result. Null where that is not known. */
export const openIn = ({ figures: { open = null } }: MoneyFigures): number | null => open;

/** How much of a profit is open, to stand behind the number of its trades; empty where little or nothing is. */
export function openText(of: MoneyFigures): string {
  const { netProfit = null, tradeProfit: closed = null } = of.figures;
  const open = openIn(of);
  if (netProfit === null || open === null || netProfit <= 0 || open < WORTH_SAYING * netProfit) return '';
  const unit = currencyText([of]);
  if (open < netProfit) return `, ${moneyOf([of], open, netProfit).join(' of ')}${unit} of it open`;
  return closed !== null && closed < 0 ? `, all of it open: the closed ones lost ${moneyOf([of], -closed)}${unit}` : ', all of it open';
}
