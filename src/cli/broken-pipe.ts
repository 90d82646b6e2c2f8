/** Error codes of writing to a pipe without a reader, or to a closed terminal. */
const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ENXIO', 'ENOTCONN', 'ECONNRESET']);

let onLost = (): void => process.exit(0);
let goesOn = false;

/** Ends the process silently once nobody reads its output: `kairos ... | head`, or a closed terminal. */
export function endQuietlyOnBrokenPipe(): void {
  let isLost = false;
  const broken = (error: NodeJS.ErrnoException): void => {
    if (!goesOn && !GONE.has(error.code)) throw error;
    // Every later line fails as well, and a second SIGTERM would cut the stop short.
    if (isLost) return;
    isLost = true;
    onLost();
  };
  process.stdout.on('error', broken);
  process.stderr.on('error', broken);
}

/** For commands that need an orderly stop: a lost output acts as SIGTERM. */
export function stopOnBrokenPipe(): void {
  onLost = () => process.kill(process.pid, 'SIGTERM');
}

/**
 * For commands that go on without output, also while their terminal takes none, as after Ctrl-S. Resolves once it is lost. Node writes to a
 * terminal synchronously, and offers no other way but its inner handle; without that, it stays so.
 */
export function goOnWithoutOutput(): Promise<void> {
  const lost = Promise.withResolvers<void>();
  goesOn = true;
  onLost = lost.resolve;
  for (const stream of [process.stdout, process.stderr]) if (stream.isTTY) Reflect.get(stream, '_handle')?.setBlocking?.(false);
  return lost.promise;
}
