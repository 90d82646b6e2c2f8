import { unbroken } from '#domain/money-text.ts';
import { isoTime, type Millis } from '#domain/names.ts';

/** A time as journals and recordings have it, in UTC. */
const TIME = /\b(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d{3})?Z/g;

/** A text for a terminal: times in UTC to the second, with their day unless that is today. */
export function shortTimes(text: string, now: Millis): string {
  const today = isoTime(now).slice(0, 10);
  return text.replace(TIME, (_, day: string, time: string) => (day === today ? time : `${day} ${time}`));
}

/** A time in UTC to the second with its day, and with its year unless that is the present one. */
export function datedTime(at: string, now: Millis): string {
  const text = at.slice(0, 19).replace('T', ' ');
  return at.slice(0, 4) === isoTime(now).slice(0, 4) ? text.slice(5) : text;
}

/** A line in as many as a width needs: broken between words, figures with their units; further ones begin under the text of the first. */
export function wrapped(line: string, width: number, indent?: string): string {
  const label = indent ?? /^ *\S+ {2,}/.exec(line)?.[0] ?? `${/^ */.exec(line)?.[0] ?? ''}  `;
  const hang = ' '.repeat(label.length > width / 3 ? 4 : label.length);
  const lines: string[] = [];
  let rest = unbroken(line);
  while (rest.length > width) {
    const from = lines.length === 0 ? label.length : hang.length;
    const fits = rest.lastIndexOf(' ', width);
    const cut = fits > from ? fits : rest.indexOf(' ', Math.max(width, from));
    if (cut < 0) break;
    lines.push(rest.slice(0, cut).trimEnd());
    rest = hang + rest.slice(cut).trimStart();
  }
  return [...lines, rest].join('\n').replaceAll('\u00a0', ' ');
}
