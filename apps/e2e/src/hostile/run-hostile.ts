/**
 * Sends hostile requests and checks the answers. Event loop blocks are looked for in groups of requests, then several
 * times in each request of a suspicious group: a real block happens every time, noise does not.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningProduct } from '../product.js';
import { describeNewEventLoopBlocks, readProductMetrics } from './service-metrics.js';
import type { HostileRequest } from './hostile-requests.js';
import { sendHostileRequest, type HostileAnswer } from './send-hostile.js';

type Finding = { readonly request: string; readonly what: string };

type HostileRun = { readonly findings: readonly Finding[]; readonly statuses: Readonly<Record<string, number>> };

const groupSize = 40;
const soloAttempts = 3;
const refusedBytesMax = 64 * 1024;

/** What no caller may see. No hostile text of ours holds any of it. */
const internalTexts =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|file:\/\/|\/(?:home|root|usr|tmp|var|work|app)\/\w+|\.(?:ts|js|mjs):\d+|\bselect\b[^"]{1,200}\bfrom\b|\binsert into\b|\bpg_\w+|duplicate key value|violates \w+ constraint|syntax error at or near|does not exist at character|ECONN[A-Z]+|TypeError|RangeError|SyntaxError|ZodError|Cannot read prop/i;

export const runHostileRequests = async (
  product: RunningProduct,
  { keyOf }: { readonly keyOf: (operation: string) => string | undefined },
  requests: readonly HostileRequest[],
): Promise<HostileRun> => {
  const findings: Finding[] = [];
  const statuses: Record<string, number> = {};
  const [gateway = ''] = product.gateways;
  const send = (request: HostileRequest): Promise<HostileAnswer> =>
    sendHostileRequest(gateway, keyOf(request.operation), request);
  for (let from = 0; from < requests.length; from += groupSize) {
    const group = requests.slice(from, from + groupSize);
    const before = await readProductMetrics(product);
    for (const request of group) {
      const answer = await send(request);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      // An explanation contains SQL by design.
      const isExplained = request.operation === 'knowledge.queries.explain' && answer.status === 200;
      const what = isExplained ? undefined : faultOf(answer);
      if (what !== undefined) findings.push({ request: describe(request), what });
    }
    if (!describeNewEventLoopBlocks(before, await readProductMetrics(product))) continue;
    for (const request of group) {
      const held = await blocksLoopAlone(product, () => send(request));
      if (held !== undefined) findings.push({ request: describe(request), what: `held an event loop: ${held}` });
    }
  }
  return { findings, statuses };
};

const blocksLoopAlone = async (product: RunningProduct, send: () => Promise<unknown>): Promise<string | undefined> => {
  let held: string | undefined;
  for (let tried = 0; tried < soloAttempts; tried++) {
    const before = await readProductMetrics(product);
    await pause(15);
    await send();
    await pause(30);
    held = describeNewEventLoopBlocks(before, await readProductMetrics(product));
    if (held === undefined) return undefined;
  }
  return held;
};

const faultOf = ({ status, head, body, bodyBytes }: HostileAnswer): string | undefined => {
  if (status === 0) return 'no answer';
  if (status >= 500 && status !== 501 && status !== 503) return `${status}: ${body.slice(0, 500)}`;
  if (status === 503 && !/^retry-after:/im.test(head)) return `503 without a time: ${body.slice(0, 500)}`;
  if (status >= 400 && bodyBytes > refusedBytesMax) return `${status} with ${bodyBytes} bytes: ${body.slice(0, 200)}`;
  const leak = internalTexts.exec(body);
  return leak ? `${status} tells "${body.slice(Math.max(0, leak.index - 60), leak.index + 120)}"` : undefined;
};

const describe = ({ name, method, target, headers, body }: HostileRequest): string => {
  const bytes = body?.() ?? Buffer.alloc(0);
  return `${name}\n    ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}\n    ${bytes.length} bytes: ${bytes.toString().slice(0, 200)}`;
};
