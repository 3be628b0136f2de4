/**
 * A client that follows next links to the end of a table over one connection. It counts entries without parsing pages,
 * which would cost more than making them, and rejects when not every row came.
 */
import { Agent, get } from 'node:http';
import { salesRows } from '../workload/bench-model.js';
import type { Side } from './bench.js';

export type Pull = { readonly rows: number; readonly seconds: number; readonly pageMs: readonly number[] };

const pageSize = 5_000;
const linkAtEnd = /"@odata\.nextLink":"([^"]+)"\}\s*$/;
/** The key of every entry, and nothing else. */
const entryMark = Buffer.from('"ID":');

export const pullTable = async ({ origin, headers, prefix }: Side, path: string): Promise<Pull> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const pageMs: number[] = [];
  let rows = 0;
  const begunMs = performance.now();
  try {
    for (let next: string | undefined = `${origin}${prefix}${path}`; next !== undefined;) {
      const pageBegunMs = performance.now();
      const page = await read(next, { ...headers, prefer: `odata.maxpagesize=${pageSize}` }, agent);
      pageMs.push(performance.now() - pageBegunMs);
      rows += entriesIn(page);
      const link = linkAtEnd.exec(page.toString('utf8', Math.max(0, page.length - 4_000)))?.[1];
      next = link && `${origin}${pathOf(link)}`;
    }
  } finally {
    agent.destroy();
  }
  if (rows !== salesRows) throw new Error(`${origin} answered ${rows} rows instead of ${salesRows}.`);
  return { rows, seconds: (performance.now() - begunMs) / 1_000, pageMs };
};

/** The side answers where it stands, whatever address its links have. */
const pathOf = (link: string): string => {
  const { pathname, search } = new URL(link);
  return pathname + search;
};

const read = (url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(pieces);
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`${url} answered ${response.statusCode}: ${body.toString('utf8', 0, 500)}`));
      });
    }).on('error', reject);
  });

const entriesIn = (page: Buffer): number => {
  let count = 0;
  for (let at = page.indexOf(entryMark); at >= 0; at = page.indexOf(entryMark, at + entryMark.length)) count++;
  return count;
};
