/** What is missing where no order of a strategy, and no purchase and sale by hand, was executed. */
const MISSING = 'nothing was rehearsed here, a purchase and its sale';

/** Why nothing starts armed live there. */
export const UNREHEARSED_AUTO = `trading.arm: auto, and ${MISSING}: start with trading.arm: manual, then \`kairos rehearse PRODUCT --live\` and \`kairos arm\``;

/** Why nothing is armed live there. */
export const UNREHEARSED = `nothing was armed: ${MISSING}; \`kairos rehearse PRODUCT --live\` first, or \`kairos arm --unrehearsed\``;
