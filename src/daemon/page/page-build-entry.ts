import { runThread } from '#adapters/threads/thread.ts';
import { builtPage } from '#report/page/page-build.ts';
import type { BuildThread } from './page-files.ts';

runThread<BuildThread>(({ data, post }) => post(builtPage(data)));
