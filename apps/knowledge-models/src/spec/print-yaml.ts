/**
 * JSON data as YAML 1.2: members and entries on lines of their own, texts as they are where nothing can be read into them,
 * else as JSON writes them, which YAML reads alike. A library that can do more holds up the process for seconds over the
 * document of a large model.
 */

export const printYaml = (value: unknown): string => {
  const lines: string[] = [];
  printValue(value, '', '', lines);
  return `${lines.join('\n')}\n`;
};

/** `lead`: what stands on the line before the value; `indent`: of its own lines. */
const printValue = (value: unknown, lead: string, indent: string, lines: string[]): void => {
  if (Array.isArray(value) && value.length > 0) {
    if (lead !== '') lines.push(lead);
    for (const item of value) printValue(item, `${indent}-`, `${indent}  `, lines);
    return;
  }
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? membersOf(value) : [];
  if (members.length === 0) return void lines.push(lead === '' ? printScalar(value) : `${lead} ${printScalar(value)}`);
  if (lead !== '' && !lead.endsWith('-')) lines.push(lead);
  members.forEach(([name, member], index) => {
    // The first member of an entry stands behind its dash.
    const start = index === 0 && lead.endsWith('-') ? `${lead} ` : indent;
    printValue(member, `${start}${printText(name)}:`, `${indent}  `, lines);
  });
};

const membersOf = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value).filter(([, member]) => member !== undefined);

const printScalar = (value: unknown): string => {
  if (typeof value === 'string') return printText(value);
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' && value !== null ? '{}' : JSON.stringify(value ?? null);
};

/** Words that some version of YAML takes for something else. */
const ambiguousWords = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

const printText = (text: string): string =>
  /^[A-Za-z](?:[\w ./,;()-]*[\w./);])?$/.test(text) && !ambiguousWords.test(text) ? text : quoteText(text);

/** JSON leaves some characters as they are that end a line in YAML. */
const quoteText = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
