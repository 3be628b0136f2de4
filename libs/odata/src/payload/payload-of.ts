/**
 * The payload of a subject in the chosen format, and the fields that its addresses need beside those that it shows.
 */
import { createAtomSerializer } from './atom-payload.js';
import { createJsonSerializer } from './json-payload.js';
import type { PayloadSerializer, PayloadLayout } from './payload.js';

/** `now`: when it is written, for the formats that say so. */
export const createPayloadSerializer = (subject: PayloadLayout, now: Date): PayloadSerializer => {
  const { format } = subject.representation;
  return format.kind === 'json' ? createJsonSerializer(subject, format) : createAtomSerializer(subject, now);
};

/** Ids. */
export const requiredFieldIds = (subject: Pick<PayloadLayout, 'type' | 'representation'>): readonly string[] => {
  const { format } = subject.representation;
  const isAddressed = format.kind === 'xml' || (format.kind === 'json' && format.metadata !== 'none');
  return isAddressed ? subject.type.key.map(({ id }) => id) : [];
};
