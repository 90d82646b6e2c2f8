const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const FIRST_YEAR = 2000;
const LAST_YEAR = 2200;

/** Reads the value of an HTTP `Date` header in its one present form (RFC 9110, 5.6.7) as Unix milliseconds; NaN for anything else. */
export function httpDateMs(text: string): number {
  const match = DATE.exec(text);
  if (match === null) return Number.NaN;
  const [, day, month = '', year, hour, minute, second] = match;
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return Number.NaN;
  const ms = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), Number(hour), Number(minute), Number(second));
  // 31 February, hour 25 and the wrong weekday come out as another text.
  return new Date(ms).toUTCString() === text ? ms : Number.NaN;
}
