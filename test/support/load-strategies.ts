import { hookModules } from '#core/strategy/module-hooks.ts';

/** Strategies are loaded as in a daemon. JavaScript's own objects stay open: a clock of tests takes the place of one. */
hookModules();
