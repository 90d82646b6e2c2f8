/** The time zone of who started Kairos; undefined where it is that of the machine. */
const given = process.env.TZ;

// Threads too: what a strategy makes of `new Date(now).getHours()` must not depend on where it runs.
process.env.TZ = 'UTC';

/** Runs something by the clocks of who started Kairos, which itself goes by UTC. */
export function inUserZone<Of>(run: () => Of): Of {
  if (given === undefined) delete process.env.TZ;
  else process.env.TZ = given;
  try {
    return run();
  } finally {
    process.env.TZ = 'UTC';
  }
}
