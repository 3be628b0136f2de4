/** Canonical JSON, which does not depend on the order of members, and SHA-256 of it. */
import { createHash } from 'node:crypto';

/** JSON with the members of every object in the order of their names; undefined as JSON has it. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  const members = new Map<string, unknown>(Object.entries(value));
  for (const name of [...members.keys()].sort()) {
    const member = members.get(name);
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
};

/** SHA-256 of canonical JSON, hexadecimal. */
export const canonicalDigest = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex');

/** The same of a definition: what is null is the same as what is absent. */
export const digestDefinition = (definition: object): string => canonicalDigest(withoutNulls(definition));

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNulls(member)]])),
  );
};
