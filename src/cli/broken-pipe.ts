let onBrokenPipe = (): void => process.exit(0);

/** Ends the process without a word when whoever read its output has gone, as `kairos ... | head` does. */
export function endQuietlyOnBrokenPipe(): void {
  let isBroken = false;
  const broken = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    // Every later line breaks as well; a second SIGTERM would cut the stop short.
    if (isBroken) return;
    isBroken = true;
    onBrokenPipe();
  };
  process.stdout.on('error', broken);
  process.stderr.on('error', broken);
}

/** For commands that must not end at once: they are stopped as if by SIGTERM. */
export function stopOnBrokenPipe(): void {
  onBrokenPipe = () => process.kill(process.pid, 'SIGTERM');
}
