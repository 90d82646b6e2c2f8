import { expect, onTestFinished, test } from 'vitest';
import { type Behave, json, service } from '../conformance/client/harness.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';

const SIGN_IN = { KAIROS_USERNAME: 'u@example.com', KAIROS_PASSWORD: 'open-sesame' };
const html: Behave = (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello');

/** Runs `kairos remote` in a folder of its own, on a service that answers as the test says. */
async function remote(behave: Behave, own: Readonly<Record<string, string>> = { KAIROS_TOKEN: 'a.b' }) {
  const folder = new DaemonFolder('remote-answers');
  onTestFinished(() => folder.remove());
  folder.write('kairos.yaml', 'mode: live\nstrategies: []\n');
  const { baseUrl, heard } = await service(behave);
  const env = { KAIROS_BASE_URL: baseUrl, ...own };
  return { heard, kairos: (...args: string[]) => kairosHere(['remote', ...args], { cwd: folder.path, env }) };
}

const NOT_ALL =
  /^kairos: not every strategy could be read: http:\/\/\S+ answered the list of strategies with 1 of \d strategies without a strategyId/m;

const FLUSH = ['flush', 's-1', '--long', '0', '--short', '0', '--yes'];

test.each<[string, Behave, readonly string[], string]>([
  [
    'a page',
    html,
    ['pause-all'],
    'pauseAll is unknown (answered 200 with a body, where the pauseAll has none: <p>hello; what a pauseAll does',
  ],
  ['a failure', (_request, response) => json(response, 200, { error: 'no' }), ['pause-all'], '{"error":"no"}; what a pauseAll does'],
  ['a redirect', (_request, response) => void response.writeHead(302).end(), ['pause-all'], 'the pauseAll is unknown (302): look with'],
  [
    'a redirect',
    (_request, response) => void response.writeHead(302).end(),
    FLUSH,
    'flush is unknown (302): look with `kairos remote find` before another',
  ],
])('an act that is answered by %s ends with one line, and it does not say "asked"', async (_what, behave, args, said) => {
  const { kairos } = await remote(behave);
  const { code, stdout, stderr } = await kairos(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd().split('\n').at(-1)).toContain(said);
  expect(stderr).not.toMatch(/: asked/);
});

test.each<[string, Readonly<Record<string, string>>, readonly string[], RegExp]>([
  [
    'a flush, with a token alone',
    { KAIROS_TOKEN: 'a.b' },
    FLUSH,
    /with 401; give a valid token \(KAIROS_TOKEN\) or service\.username and password\n$/,
  ],
  ['a flush, with both set', SIGN_IN, FLUSH, /with 401: its token was refused, and nothing was done; the next request signs in anew\n$/],
  [
    'a pause of all, with both set',
    SIGN_IN,
    ['pause-all'],
    /with 401; a token that it had just signed in for was refused: may this user do that\?\n$/,
  ],
])('%s, is told what is so where the service refuses the token', async (_what, env, args, said) => {
  const { kairos } = await remote((request, response) => {
    if (request.path.endsWith('/login')) json(response, 200, { expirationTime: 3600 }, { authorization: 'Bearer t.u' });
    else json(response, 401, {});
  }, env);
  expect(await kairos(...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(said) });
});

test('strategies of which one cannot be read are shown, and an error says so: never that there is none', async () => {
  const list: object[] = [{ id: 's-2' }];
  const { kairos } = await remote((_request, response) => json(response, 200, list));
  expect(await kairos('find')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(NOT_ALL) });
  list.push({ strategyId: 's-1', state: { status: 'PAUSED' } });
  expect(await kairos('find')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('s-1'),
    stderr: expect.stringMatching(NOT_ALL),
  });
  const asJson = await kairos('find', '--json');
  expect(asJson).toMatchObject({ code: 1 });
  expect(JSON.parse(asJson.stdout)).toMatchObject([{ strategyId: 's-1' }]);
  list.splice(0);
  expect(await kairos('find')).toMatchObject({ code: 0, stderr: expect.stringContaining('has no strategy of yours') });
});
