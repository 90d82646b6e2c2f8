import dns from 'node:dns';

type Callback = (error: Error | null, address: string | readonly dns.LookupAddress[], family?: number) => void;

/**
 * Loaded ahead of a process under test (`NODE_OPTIONS=--import`): names under `.example` are this machine. The process takes
 * them for a real service off loopback, while nothing leaves the machine.
 */
const { lookup } = dns;

function loopback(name: string, options: dns.LookupOptions | Callback, callback: Callback): void {
  const told = typeof options === 'function' ? options : callback;
  if (!String(name).endsWith('.example')) return Reflect.apply(lookup, dns, [name, options, callback]);
  const every = typeof options === 'object' && options.all === true;
  process.nextTick(() => (every ? told(null, [{ address: '127.0.0.1', family: 4 }]) : told(null, '127.0.0.1', 4)));
}

Object.assign(dns, { lookup: loopback });
