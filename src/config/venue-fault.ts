import type { Kind } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import { FAULT_NAMES, readFault, type VenueFault } from '#venue/faults/catalogue.ts';

/** A fault of the paper venue: a name, or a name with a share such as `lost-answers=50%`. */
export const venueFault: Kind<VenueFault> = {
  schema: { type: 'string', pattern: `^(${FAULT_NAMES.join('|')})(=\\d{1,3}(\\.\\d{1,3})?%)?$` },
  read(value, report) {
    const read = typeof value === 'string' ? readFault(value) : `be the name of a fault such as lost-answers, not ${shown(value)}`;
    if (typeof read !== 'string') return read;
    report([], `must ${read}`);
    return undefined;
  },
  fromText: (given) => given,
};
