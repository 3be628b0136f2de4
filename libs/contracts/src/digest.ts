/**
 * What is the same whatever the order of members: canonical JSON, and SHA-256 of it.
 * Refuses: to tell how two values differ.
 */
import { createHash } from 'node:crypto';

/** JSON with the members of every object in the order of their names; undefined as JSON has it. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
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
