/** Why a strategy does not run that the settings leave out. */
export const NOT_ENABLED = 'enabled: false in the configuration';

/** What lets it run: no command does. */
export const NOT_ENABLED_MEND = 'set enabled: true in its entry, then restart';
