/**
 * Ids as OData names and back: what an OData name may not hold is escaped as in names of XML, `_x002D_` for `-`, and a
 * `_` that would begin such a group by `_x005F_`. Each id has names that are its own; requests may write the id as
 * well.
 */

/** OData allows 128 characters; the name of an entity set is longer than that of its type by `entitySetSuffix`. */
export const entitySetSuffix = '_entries';
const nameMax = 128 - entitySetSuffix.length;

/** `escaped`: so many characters are escaped at its beginning whether they have to be or not, so that it is another name. */
export const toODataName = (id: string, escaped = 0): string => {
  let name = '';
  for (let at = 0; at < id.length; at++)
    name += at < escaped || mustBeEscaped(id, at) ? escapeOf(id.charCodeAt(at)) : id.charAt(at);
  return name.length > nameMax && isMemberId(id) ? shortNameOf(id, escaped) : name;
};

/** Of a name, or of an id that is written as it is. */
export const fromODataName = (name: string): string => {
  const [, hyphens, letters] = shortName.exec(name) ?? [];
  if (hyphens !== undefined && letters !== undefined) return withHyphens(letters, BigInt(`0x${hyphens}`));
  return name.replaceAll(escapedGroupPattern, (_group, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
};

const escapedGroupPattern = /_x([0-9A-F]{4})_/g;
const plainCharacterPattern = /[A-Za-z0-9_]/;
/** Behind the `_`: what is no letter or digit is `_`, or an escape, which begins with one. */
const wouldBeGroup = /x[0-9A-F]{4}[^A-Za-z0-9]/y;

const mustBeEscaped = (id: string, at: number): boolean => {
  const character = id.charAt(at);
  if (character !== '_') return !plainCharacterPattern.test(character) || (at === 0 && /[0-9]/.test(character));
  wouldBeGroup.lastIndex = at + 1;
  return wouldBeGroup.test(id);
};

const escapeOf = (code: number): string => `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;

/**
 * An id of many hyphens would become too long. It is written with `_` for `-`, behind a number that tells where they were.
 * What it begins with no other name begins with: a letter is escaped only when all before it are.
 */
const shortMark = 'L_x004C_';
const shortName = /^L_x004C_[0-9A-F]([0-9A-F]{16})([A-Za-z0-9_]{1,64})$/;

const isMemberId = (id: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(id);

const shortNameOf = (id: string, escaped: number): string => {
  const hyphens = [...id].reduce((bits, character, at) => (character === '-' ? bits | (1n << BigInt(at)) : bits), 0n);
  const numbers = `${(escaped % 16).toString(16)}${hyphens.toString(16).padStart(16, '0')}`;
  return `${shortMark}${numbers.toUpperCase()}${id.replaceAll('-', '_')}`;
};

const withHyphens = (letters: string, hyphens: bigint): string =>
  [...letters].map((letter, at) => ((hyphens >> BigInt(at)) & 1n ? '-' : letter)).join('');
