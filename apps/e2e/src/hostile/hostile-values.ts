/** Hostile values as text for a URL, a header or a JSON body. */

const longText = 'x'.repeat(3_000);
/** What looks like SQL, a pattern, a path of a query language, or a file. */
const hostileStrings = [
  "' OR 1=1 --",
  "'); DROP TABLE element; --",
  '$..*[?(@.a)]',
  '^(a+)+$',
  '(((((((((((((((((((((((((((((((((',
  '../../../../etc/passwd',
  '{{7*7}} ${7*7} #{7*7}',
  '%s%n%x',
  "a' 'b",
  'a"b',
  '\\',
  '*',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '9007199254740993',
  '-9223372036854775809',
  `1${'0'.repeat(400)}`,
  '0x10',
  '0000-00-00',
  '9999-99-99T99:99:99Z',
  '-infinity',
  'true',
  '[]',
  '{}',
  '',
  ' ',
  '\t',
  'ﬀ ⅷ ①',
  'a\u0301\u0301\u0301'.repeat(30),
  '\u202eabc\u202c',
  '\ufeff',
  '😀'.repeat(40),
  'İıſK',
  longText,
];

/** For path and query: percent-encoded right, broken, twice, or not at all. */
export const hostileUrlTexts: readonly string[] = [
  ...hostileStrings.map((bait) => encodeURIComponent(bait)),
  ...['%00', 'a%00b', '%', '%2', '%zz', '%2500', '%252e%252e%252f', '%ff%fe', '%c0%af', '%ed%a0%80', '%u0041'],
  ...['..', '.', ';a=b', 'a;b', '%2e%2e%2f', '%2f', '%5c', '%0d%0aSet-Cookie:%20a=b', '+', '%20', '%09', '%7f'],
  encodeURIComponent('ä'.repeat(900)),
];

/** For header values, as bytes of Latin-1. */
export const hostileHeaderTexts: readonly string[] = [
  ...hostileStrings.filter((bait) => /^[\t -~]*$/.test(bait)),
  ...['ä', '\u00ff\u00fe', '""', '"', 'W/"', '"a", "b", *', ','.repeat(500), 'a\tb', '2,0', '1.0.0.0', longText],
];

/** JSON texts for the place of a member; not all of them are JSON. */
export const hostileJsonTexts: readonly string[] = [
  ...hostileStrings.map((bait) => JSON.stringify(bait)),
  ...['null', 'true', 'false', '0', '-0', '1e400', '-1e400', '9007199254740993', '0.1e-400', '1.5', '-1'],
  ...['NaN', 'Infinity', 'undefined', '01', '+1', '.5', '1.', "'a'", '"\\x41"', '"a\nb"', '/* */1'],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '"\\u202e"', '"\\ufeff"', '"\\uffff"'],
  ...['[]', '{}', '[null]', '[[]]', '[{}]', '{"":null}', '{"a":{"b":{"c":1}}}', '[1,"a",null,{}]', '""'],
  '{"__proto__":{"admin":true}}',
  '{"\\u005f_proto__":1}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"toString":1,"hasOwnProperty":1,"length":-1}',
  '{"a":1,"a":2,"a":{}}',
  `${'['.repeat(40)}${']'.repeat(40)}`,
  `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  `"${'x'.repeat(40_000)}"`,
  `"${'\\u0000'.repeat(2_000)}"`,
  `1${'0'.repeat(1_000)}`,
  `[${'1,'.repeat(2_000)}1]`,
  `[${'{},'.repeat(2_000)}{}]`,
  `{${namedMembers(1_000)}}`,
];

function namedMembers(count: number, prefix = 'm'): string {
  return Array.from({ length: count }, (_, index) => `"${prefix}${index}":1`).join(',');
}

const mebibyte = 1024 * 1024;
/** As many as fit into a body of 1 MiB that has something around them. */
const filled = (open: string, entry: (index: number) => string, close: string, room = 4_096): string => {
  const entries: string[] = [];
  let left = mebibyte - room - open.length - close.length;
  for (let index = 0; ; index++) {
    const text = entry(index);
    left -= text.length + 1;
    if (left < 0) return `${open}${entries.join(',')}${close}`;
    entries.push(text);
  }
};

/** JSON texts of nearly 1 MiB for the place of a member, by what they are many of. */
export const largeJsonTexts: Readonly<Record<string, () => string>> = {
  'small integers': () => filled('[', () => '1', ']'),
  integers: () => filled('[', (index) => String(1_000_000_000 + index), ']'),
  'long numbers': () => filled('[', () => '9'.repeat(400), ']'),
  'empty lists': () => filled('[', () => '[]', ']'),
  'empty objects': () => filled('[', () => '{}', ']'),
  'objects of a shape each': () => filled('[', (index) => `{"k${index}":1}`, ']'),
  members: () => filled('{', (index) => `"m${index}":1`, '}'),
  'members that are alike': () => filled('{', () => '"a":1', '}'),
  'members called by integers': () => filled('{', (index) => `"${(index * 7919) % 4_294_967_295}":1`, '}'),
  'members with texts': () => filled('{', (index) => `"m${index}":"x"`, '}'),
  texts: () => filled('[', (index) => `"t${index}"`, ']'),
  'short texts': () => filled('[', () => '"a"', ']'),
  'lists in lists': () => `${'['.repeat(50)}${filled('', () => '[[]]', '')}${']'.repeat(50)}`,
  nulls: () => filled('[', () => 'null', ']'),
  'one text': () => `"${'x'.repeat(mebibyte - 8_192)}"`,
  'one text of escapes': () => `"${'\\u0041'.repeat(170_000)}"`,
  'one text of zeros': () => `"${'\\u0000'.repeat(170_000)}"`,
  'one text of parentheses': () => `"${'('.repeat(mebibyte - 8_192)}"`,
  'one text of quotes': () => `"${"'".repeat(mebibyte - 8_192)}"`,
  'one text of words': () => `"${'word '.repeat(200_000)}"`,
  'one number': () => '9'.repeat(mebibyte - 8_192),
  names: () => filled('{', (index) => `"${'n'.repeat(60)}${index}":null`, '}'),
};
