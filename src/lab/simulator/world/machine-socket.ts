import { Socket } from 'node:net';

/** The network side of a simulated socket. */
interface SocketLine {
  /** The kernel has taken these bytes. */
  written(bytes: Buffer): void;
  /** The machine has closed or lost the connection. */
  over(): void;
}

const NO_LINE: SocketLine = { written() {}, over() {} };

/** A socket for Node's own libraries, on the simulated network. TLS is not simulated. */
export class MachineSocket extends Socket {
  private line = NO_LINE;

  connected(line: SocketLine): void {
    this.line = line;
    this.emit('connect');
    this.emit('secureConnect');
  }

  deliver(bytes: Buffer): void {
    if (!this.destroyed) this.push(bytes);
  }

  /** Ends the connection by the other side, in good order. */
  ended(): void {
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {}

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.line.written(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    done();
  }

  override _writev(chunks: readonly { chunk: Buffer | string; encoding: BufferEncoding }[], done: (error?: Error | null) => void): void {
    this.line.written(
      Buffer.concat(chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk))),
    );
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { line } = this;
    this.line = NO_LINE;
    line.over();
    done(error);
    process.nextTick(() => this.emit('close', error !== null));
  }

  override ref(): this {
    return this;
  }

  override unref(): this {
    return this;
  }

  override setNoDelay(): this {
    return this;
  }

  override setKeepAlive(): this {
    return this;
  }
}

/** An error of the network, with the kernel's code. */
export function networkError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}
