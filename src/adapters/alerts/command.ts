import { spawn } from 'node:child_process';
import { isoTime } from '#domain/names.ts';
import type { Channel } from './alert.ts';
import { cut } from './message.ts';

const MAX_SHOWN = 200;

/**
 * A channel that runs a program, without a shell: the message as JSON on standard input, title and text in
 * KAIROS_ALERT_TITLE and KAIROS_ALERT_TEXT. It gets `env` and nothing of Kairos's own, so no secret. Exit code 0 is delivered.
 */
export function commandChannel(command: readonly string[], env: Readonly<Record<string, string>>): Channel {
  const [program = '', ...args] = command;
  return {
    name: 'command',
    send(message, signal) {
      return new Promise((resolve, reject) => {
        const { title, text, events, silent, at } = message;
        const named = { KAIROS_ALERT_TITLE: title, KAIROS_ALERT_TEXT: text, KAIROS_ALERT_EVENTS: events.join(' ') };
        const child = spawn(program, args, { env: { ...env, ...named }, stdio: ['pipe', 'ignore', 'pipe'], signal, killSignal: 'SIGKILL' });
        let said = '';
        child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
          said = cut(said + chunk, MAX_SHOWN);
        });
        // A program that does not read what it is given is free to.
        child.stdin.on('error', () => {});
        child.stdin.end(`${JSON.stringify({ title, text, events, silent, at: isoTime(at) })}\n`);
        child.once('error', (error) => reject(new Error(`${program}: ${error.message}`)));
        child.once('exit', (code, killed) => {
          const over = (): void => {
            child.stderr.destroy();
            if (code === 0) resolve();
            else reject(new Error(`${program} ended with ${code ?? killed}${said === '' ? '' : `: ${said.trim()}`}`));
          };
          // What it has left running may keep its standard error open for ever.
          if (code === 0 || child.stderr.closed || signal.aborted) return over();
          child.stderr.once('close', over);
          signal.addEventListener('abort', over, { once: true });
        });
      });
    },
    close: async () => {},
  };
}
