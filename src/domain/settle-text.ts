/** The two commands by which a person ends an unknown outcome. */
export const settleMend = (order: string): string => `\`kairos journal resolve ${order} --as accepted\` or \`--as rejected\` settles it`;

/** What keeps a position from being closed, and what ends that. */
export const settleText = (order: string): string => `order ${order} has an unknown outcome: ${settleMend(order)}`;

/** What an order of unknown outcome keeps back, also while nothing is latched. */
export const keptBackText = (order: string, product: string): string =>
  `nothing opens in ${product}, and nowhere while more openings are unknown than risk.maxUnknown: ${settleText(order)}`;
