import { userInfo } from 'node:os';

/** The user of the operating system; by number where the system knows no name for it, as in a container that was given one. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Node throws: there is no such line in /etc/passwd.
    return `uid ${process.getuid?.()}`;
  }
}
