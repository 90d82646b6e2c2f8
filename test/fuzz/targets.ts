import type { FuzzTarget } from './target.ts';
import { FILE_TARGETS } from './targets/files.ts';
import { PEOPLE_TARGETS } from './targets/people.ts';
import { SERVICE_TARGETS } from './targets/service.ts';
import { WEBHOOK_TARGETS } from './targets/webhooks.ts';

/** Every reader of what comes from outside. */
export const TARGETS: readonly FuzzTarget[] = [...SERVICE_TARGETS, ...WEBHOOK_TARGETS, ...PEOPLE_TARGETS, ...FILE_TARGETS];
