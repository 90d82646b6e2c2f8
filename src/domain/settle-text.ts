/** What keeps a position from being closed, and the two commands by which a person ends it. */
export const settleText = (order: string): string =>
  `order ${order} has an unknown outcome: \`kairos journal resolve ${order} --as accepted\` or \`--as rejected\` settles it`;
