/** The payload of a subject in the format that was chosen. */
import { atomPayload } from './atom-payload.js';
import { jsonPayload } from './json-payload.js';
import type { Payload, PayloadSubject } from './payload.js';

/** `now`: when it is written, for the formats that say so. */
export const payloadOf = (subject: PayloadSubject, now: Date): Payload => {
  const { format } = subject.representation;
  return format.kind === 'json' ? jsonPayload(subject, format) : atomPayload(subject, now);
};
