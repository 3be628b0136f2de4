/** Moments in fields and addresses: what a field has is local time, what an address has is ISO 8601. */

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-05-07T10:30` of the clock on the wall, for a field. */
export const toLocalText = (instant: Date): string =>
  `${String(instant.getFullYear()).padStart(4, '0')}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}` +
  `T${two(instant.getHours())}:${two(instant.getMinutes())}`;

/** The same moment as content says it, without a zone: UTC. */
export const toUtcText = (local: string): string => {
  const instant = new Date(local);
  return Number.isNaN(instant.getTime()) ? local : instant.toISOString().slice(0, 19);
};

/** What content says of time without a zone is UTC. */
export const toInstant = (text: string): string => (/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);

export type ReadMoment = { readonly at: string } | { readonly fault: 'missing' | 'future' };

/** What a field has, as the moment of an address. Nothing is known of the future. */
export const readLocalText = (text: string, now: Date): ReadMoment => {
  const instant = new Date(text);
  if (text === '' || Number.isNaN(instant.getTime())) return { fault: 'missing' };
  return instant.getTime() > now.getTime() ? { fault: 'future' } : { at: instant.toISOString() };
};

/** The moment of an address; undefined when it is none. */
export const readMoment = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
};
