/** How `kairos watch` names itself to the daemon that it looks at, as a user agent. */
export const WATCHER = 'kairos-watch';
