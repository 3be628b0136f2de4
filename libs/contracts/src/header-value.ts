/** Splits the value of a header; a separator inside double quotes is text (RFC 9110). An unclosed quote goes to the end. */
export const splitOutsideQuotes = (text: string, separator: ',' | ';'): readonly string[] => {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') at++;
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...parts, text.slice(from).trim()];
};

/** `name = "value"` -> the name in lower case, and the value without its quotes; empty when there is none. */
export const parseHeaderParameter = (text: string): readonly [name: string, value: string] => {
  const equals = text.indexOf('=');
  if (equals < 0) return [text.trim().toLowerCase(), ''];
  const value = text.slice(equals + 1).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return [text.slice(0, equals).trim().toLowerCase(), isQuoted ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value];
};

/** Whether the condition of `If-None-Match` holds: none of the caller's answers is this one. Weak prefixes do not matter. */
export const isNoneMatch = (header: string | undefined, etag: string): boolean =>
  header === undefined ||
  (header.trim() !== '*' && ![...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag || `W/${tag}` === etag));

/** Whether the condition of `If-Match` holds for what has this ETag; undefined when it is not there. Weak prefixes do not matter. */
export const isMatch = (header: string | undefined, etag: string | undefined): boolean =>
  header === undefined || (etag !== undefined && !isNoneMatch(header, etag));
