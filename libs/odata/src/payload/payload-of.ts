/**
 * The payload of a subject in the chosen format, and the fields that its addresses need beside those that it shows.
 */
import { atomPayload } from './atom-payload.js';
import { jsonPayload } from './json-payload.js';
import type { Payload, PayloadSubject } from './payload.js';

/** `now`: when it is written, for the formats that say so. */
export const payloadOf = (subject: PayloadSubject, now: Date): Payload => {
  const { format } = subject.representation;
  return format.kind === 'json' ? jsonPayload(subject, format) : atomPayload(subject, now);
};

/** Ids. */
export const fieldsNeeded = (subject: Pick<PayloadSubject, 'type' | 'representation'>): readonly string[] => {
  const { format } = subject.representation;
  const isAddressed = format.kind === 'xml' || (format.kind === 'json' && format.metadata !== 'none');
  return isAddressed ? subject.type.key.map(({ id }) => id) : [];
};
