/** What writing to a pipe answers whose reader has gone, and to a terminal that was closed. */
const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ENXIO', 'ENOTCONN', 'ECONNRESET']);

let onLost = (): void => process.exit(0);
let goesOn = false;

/** Ends the process without a word when nobody is left to read what it prints: `kairos ... | head`, or a terminal that was closed. */
export function endQuietlyOnBrokenPipe(): void {
  let isLost = false;
  const broken = (error: NodeJS.ErrnoException): void => {
    if (!goesOn && !GONE.has(error.code)) throw error;
    // Every later line fails as well; a second SIGTERM would cut a stop short.
    if (isLost) return;
    isLost = true;
    onLost();
  };
  process.stdout.on('error', broken);
  process.stderr.on('error', broken);
}

/** For commands that must not end at once: they are stopped as if by SIGTERM. */
export function stopOnBrokenPipe(): void {
  onLost = () => process.kill(process.pid, 'SIGTERM');
}

/** For those that go on whatever becomes of their output. Resolves once that is lost. */
export function goOnWithoutOutput(): Promise<void> {
  const lost = Promise.withResolvers<void>();
  goesOn = true;
  onLost = lost.resolve;
  return lost.promise;
}
