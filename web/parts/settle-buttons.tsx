import type { OpenOrderView } from '#server/page/view.ts';
import { settle } from '../acts/acts.ts';
import { ActButton } from './act-button.tsx';

/** What a person says became of an order of unknown outcome. */
export const SettleButtons = ({ order }: { readonly order: OpenOrderView }) => (
  <span class="tools">
    <ActButton asked={() => settle(order, true)} label="Was executed…" name={`Order ${order.order} was executed`} />
    <ActButton asked={() => settle(order, false)} label="Was not…" name={`Order ${order.order} was not executed`} />
  </span>
);
