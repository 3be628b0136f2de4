/** Headers that a definition adds to requests of the platform. Never those of the connection and of the platform itself. */

/** What belongs to the connection, or is said by the platform itself. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'host', 'content-length', 'accept-encoding', 'x-request-id'],
  ...['idempotency-key', 'traceparent', 'tracestate'],
]);

/** What is wrong with headers, whatever they are for; by the name as it was given. */
export const findHeaderFaults = (headers: Readonly<Record<string, string>>): readonly (readonly [string, string])[] => {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const isTwice = seen.has(lower);
    seen.add(lower);
    const faults = [
      ownHeaders.has(lower) && `the header ${name} is set by the platform`,
      isTwice && 'is there twice',
      !/^[\x20-\x7e]*$/.test(value) && 'expected printable ASCII characters',
    ];
    return faults.flatMap((fault) => (fault === false ? [] : [[name, fault] as const]));
  });
};
