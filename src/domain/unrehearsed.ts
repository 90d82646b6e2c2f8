/** Why nothing starts armed live where no order was ever executed. */
export const UNREHEARSED_AUTO =
  'trading.arm: auto, and no order was ever executed at this service: start with trading.arm: manual, then `kairos rehearse PRODUCT --live` and `kairos arm`';

/** Why nothing is armed live where no order was ever executed. */
export const UNREHEARSED =
  'nothing was armed: no order was ever executed here; `kairos rehearse PRODUCT --live` first, or `kairos arm --unrehearsed`';
