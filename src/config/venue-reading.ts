import { READINGS, readDialect } from '#adapters/service/dialect/dialect.ts';
import type { Kind } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';

/** A reading of the paper venue's dialect: a name such as upper-currencies, or seed:N for a drawn dialect. */
export const venueReading: Kind<string> = {
  schema: { type: 'string', pattern: `^(${READINGS.join('|')}|seed:.{1,40})$` },
  read(value, report) {
    const read =
      typeof value === 'string' ? readDialect([value]) : `be the name of a reading such as upper-currencies, not ${shown(value)}`;
    if (typeof read !== 'string') return String(value);
    report([], `must ${read}`);
    return undefined;
  },
  fromText: (given) => given,
};
