/** `33 accepted, 1 expired; 1 of a drill, not sent`: orders by state, those that a halt drill tried apart. */
export function statesText(states: Iterable<readonly [state: string, count: number]>): string {
  const all = [...states];
  const own = all.filter(([state]) => state !== 'drill').map(([state, count]) => `${count} ${state.replaceAll('_', ' ')}`);
  const drills = all
    .filter(([state]) => state === 'drill')
    .map(([, count]) => `${count} of ${count === 1 ? 'a drill' : 'drills'}, not sent`);
  return [...(own.length > 0 ? [own.join(', ')] : []), ...drills].join('; ');
}
