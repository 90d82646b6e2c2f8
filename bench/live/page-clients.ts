import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { givenFacts, serve } from './child.ts';

/** Where to listen, how many pages do, and how many of them stop reading. */
export interface PagesFacts {
  readonly url: string;
  readonly pages: number;
  readonly stalled: number;
}

export interface PagesQuestion {
  readonly ask: 'begin' | 'end';
}

/** What the pages that read were told since the beginning, all together. */
export interface PagesReport {
  readonly pages: number;
  readonly events: number;
  readonly bytes: number;
}

const { url, pages, stalled } = givenFacts<PagesFacts>();
let open: ClientRequest[] = [];
let events = 0;
let bytes = 0;

/** Listens as a browser does. One that stalls has read the head of its answer and nothing of its body. */
function listen(reads: boolean): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/events`, { agent: false });
    sent.once('error', reject);
    sent.once('response', (response: IncomingMessage) => {
      sent.on('error', () => {});
      response.on('error', () => {});
      if (reads) {
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          events += countOf(part);
        });
      }
      resolve(sent);
    });
    sent.end();
  });
}

/** Events end with an empty line; one that falls between two parts is not counted. */
function countOf(part: Buffer): number {
  let count = 0;
  for (let at = part.indexOf('\n\n'); at !== -1; at = part.indexOf('\n\n', at + 2)) count += 1;
  return count;
}

async function begin(): Promise<void> {
  open = await Promise.all(Array.from({ length: pages }, (_, n) => listen(n >= stalled)));
}

function end(): PagesReport {
  for (const sent of open) sent.destroy();
  open = [];
  const report = { pages: pages - stalled, events, bytes };
  events = 0;
  bytes = 0;
  return report;
}

serve<PagesQuestion>(
  (question) => (question.ask === 'begin' ? begin() : end()),
  () => void end(),
);
