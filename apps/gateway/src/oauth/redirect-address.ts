/** Where people are sent back after the decision about a client (RFC 8252): which addresses may be used, and their names for people. */
const redirectLengthMax = 2_000;
/** Names of this computer in addresses. */
const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** A reversed domain name (RFC 8252, 7.1): no browser, mail program or operating system has one for itself, and no page may claim one. */
const privateScheme = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;
/** Schemes without a dot that an operator cannot mean: browsers, pages (`web+`) and operating systems act on them themselves. */
const takenScheme =
  /^(?:https?|javascript|vbscript|data|blob|file|filesystem|about|view-source|jar|s?ftps?|wss?|mailto|tel|sms|intent|search|search-ms|ms-.*|web\+.*):$/;

/**
 * Why nobody can be sent back to this address: it is neither https, nor on this computer, nor of an application by its own scheme.
 * `isListed`: whether the operator has listed it, who may name a scheme without a dot as well. Undefined when it is allowed.
 */
export const redirectFault = (redirect: string, isListed = false): string | undefined => {
  const url = URL.parse(redirect);
  if (!url || redirect.length > redirectLengthMax || !/^[\x21-\x7e]+$/.test(redirect)) return 'is no address';
  if (redirect.includes('#')) return 'has a fragment';
  // Browsers take it for a slash, other readers for a part of the user name.
  if (redirect.includes('\\')) return 'has a backslash';
  if (url.username !== '' || url.password !== '') return 'has a user name';
  if (url.protocol === 'https:' || privateScheme.test(url.protocol)) return undefined;
  if (url.protocol === 'http:' && loopbackNames.has(url.hostname)) return undefined;
  if (isListed && !takenScheme.test(url.protocol)) return undefined;
  return 'is neither https, nor http on this machine (localhost, 127.0.0.1, [::1]), nor of a private scheme with a dot (com.example.app:/callback)';
};

/** The host of whatever is not this computer. */
export const destinationOf = (redirect: string): string => {
  const { protocol, hostname, host, origin } = new URL(redirect);
  if (origin === 'null') return `an application on this computer (${protocol})`;
  return loopbackNames.has(hostname) ? `an application on this computer (${host})` : host;
};
