/**
 * How a provider reaches the one endpoint that it is for: where the operator says, over connections that stay open.
 * Never reads what a refusal says, and never sends anything to another host.
 */
import { type OutgoingResponse, sendRequest, createTrustedTarget } from '@tessera/outgoing-http';
import { type Outage, OutageError } from './outage.js';

type Endpoint = {
  /** What requests are addressed to; nothing else is. */
  readonly url: URL;
  /** Where it is reached, when that is somewhere else. */
  readonly address?: URL | undefined;
  readonly silenceMs: number;
};

const bodySizeMax = 8 * 1024 * 1024;

/** One for each model. */
export const createEndpointFetch =
  ({ url: own, address, silenceMs }: Endpoint): typeof fetch =>
  async (input, { method = 'GET', headers: given, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isOwn = url.origin === own.origin && url.username === '' && url.password === '';
    if (!isOwn || typeof body !== 'string') throw new OutageError({ kind: 'refused' });
    const filled = [...new Headers(given)].filter(([, value]) => value !== '');
    const headers = { ...Object.fromEntries(filled), 'user-agent': 'tessera' };
    const request = { method, path: url.pathname + url.search, headers, body };
    const answer = await sendRequest(createTrustedTarget(own, address), request, {
      ...{ silenceMs, bodySizeMax },
      signal: signal ?? undefined,
    });
    const outage = outageOfResponseHead(answer);
    if (outage === undefined) return new Response(ReadableStream.from(answer.body));
    answer.discard();
    throw new OutageError(outage);
  };

/** What the status says already; undefined when the body has to be read. */
const outageOfResponseHead = ({ status, headers, isEncoded }: OutgoingResponse): Outage | undefined => {
  if (status === 200) return isEncoded ? { kind: 'nonsense', status } : undefined;
  if (status === 401 || status === 403) return { kind: 'refused-credential', status };
  if (status === 408 || status === 429) return { kind: 'busy', status, ...retryAfterSecondsOf(headers['retry-after']) };
  if (status >= 500) return { kind: 'broken', status, ...retryAfterSecondsOf(headers['retry-after']) };
  if (status >= 400) return { kind: 'refused', status };
  return status >= 300 ? { kind: 'redirected', status } : { kind: 'nonsense', status };
};

/** Seconds or a date. */
const retryAfterSecondsOf = (retryAfter: string | undefined): Pick<Outage, 'waitMs'> => {
  if (retryAfter === undefined) return {};
  const waitMs = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return waitMs > 0 ? { waitMs } : {};
};
