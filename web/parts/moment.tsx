import { momentText } from '../words/times.ts';

/** A date and time in UTC. */
export const Moment = ({ at }: { readonly at: string }) => <time dateTime={at}>{momentText(at)}</time>;
