/** What is told before a configuration is armed that was armed in another place. */
export const ARMED_ELSEWHERE =
  'ARMED IN ANOTHER PLACE: this journal is a copy, or was moved; two daemons on copies trade the same money twice: stop the other first';
