/** The fields whose values an answer needs beside those that it shows: for addresses, where these are written. */
import { fieldsOfAddresses } from './entity-address.js';
import type { PayloadSubject } from './payload.js';

/** Ids. */
export const fieldsNeeded = (subject: Pick<PayloadSubject, 'type' | 'representation'>): readonly string[] => {
  const { format } = subject.representation;
  switch (format.kind) {
    case 'json':
      if (format.metadata === 'none') return [];
      return format.metadata === 'full' ? fieldsOfAddresses(subject) : subject.type.key.map(({ id }) => id);
    case 'xml':
      return fieldsOfAddresses(subject);
    case 'text':
      return [];
  }
};
