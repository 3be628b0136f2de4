/** A short text for what a large thing says. Refuses: things that change; each is read once. */
import { hash } from 'node:crypto';

/** Statements and columns of questions that come again are the same objects. */
export const digestOf = (of: object, contents: () => unknown): string => {
  const known = digests.get(of);
  if (known !== undefined) return known;
  const digest = digestText(JSON.stringify(contents()));
  digests.set(of, digest);
  return digest;
};
const digests = new WeakMap<object, string>();

export const digestText = (text: string): string => hash('sha256', text, 'base64');
