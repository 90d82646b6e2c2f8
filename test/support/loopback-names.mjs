import { createRequire } from 'node:module';

/**
 * Loaded ahead of a process under test (`NODE_OPTIONS=--import`): names under `.example` are this machine. The process takes
 * them for a real service off loopback, while nothing leaves the machine.
 */
const dns = createRequire(import.meta.url)('node:dns');
const { lookup } = dns;

dns.lookup = (name, options, callback) => {
  const told = typeof options === 'function' ? options : callback;
  if (!String(name).endsWith('.example')) return lookup(name, options, callback);
  const every = typeof options === 'object' && options.all === true;
  process.nextTick(() => (every ? told(null, [{ address: '127.0.0.1', family: 4 }]) : told(null, '127.0.0.1', 4)));
};
