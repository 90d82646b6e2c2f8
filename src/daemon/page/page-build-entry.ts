import { runThread } from '#adapters/threads/thread.ts';
import { builtPage } from './page-build.ts';
import type { BuildThread } from './page-files.ts';

runThread<BuildThread>(async ({ data, post }) => post(await builtPage(data)));
