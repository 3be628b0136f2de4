/**
 * Entries as Atom: the feed of a page, or one entry. Of what an entry says of itself its address, its values and its related
 * entries are read from its row.
 * Refuses: markup that is not cut from what the builder of XML made.
 */
import { randomUUID } from 'node:crypto';
import { xmlText } from '../xml/xml-text.js';
import { atomFeed, atomTemplate, type Fill } from './atom-template.js';
import { entityAddress, relatedAddress } from './entity-address.js';
import { type Payload, type PayloadSubject, type Row, rowKey } from './payload.js';
import { textReader } from './value-text.js';

/** `now`: when the answer is written; nobody knows when an entry was changed. */
export const atomPayload = (subject: PayloadSubject, now: Date): Payload => {
  const updated = now.toISOString();
  return {
    key: rowKey(subject),
    writer: () => entryWriter(subject, updated),
    separator: '',
    head: (count) => (subject.isOne ? '' : atomFeed(subject, updated, { count }).before),
    tail: (nextLink) => (subject.isOne ? '' : atomFeed(subject, updated, { nextLink }).behind),
  };
};

type WritePart = (row: Row) => string;

const entryWriter = (subject: PayloadSubject, updated: string): WritePart => {
  const address = entityAddress(subject);
  const { addressed, transient, links, middle, properties, end } = atomTemplate(subject, updated);
  const related = linksWriter(subject, links);
  const values = valuesWriter(subject, properties);
  return (row) => {
    const own = address(row);
    const begin = own === undefined ? transient(`odata:transient:${randomUUID()}`) : addressed(escaped(own));
    return begin + related(row) + middle + values(row) + end;
  };
};

const linksWriter = (subject: PayloadSubject, links: readonly Fill[]): WritePart => {
  const written = subject.type.navigation.map((navigation, index) => ({
    address: relatedAddress(subject, navigation),
    fill: links[index],
  }));
  return (row) => {
    let text = '';
    for (const { address, fill } of written) {
      const link = address(row);
      if (link !== undefined && fill) text += fill(escaped(link));
    }
    return text;
  };
};

type PropertyMarkup = { readonly filled: Fill; readonly empty: string };

const valuesWriter = ({ shown, places }: PayloadSubject, properties: readonly PropertyMarkup[]): WritePart => {
  const written = shown.flatMap((property, index) => {
    const markup = properties[index];
    return markup ? [{ place: places.get(property.id) ?? -1, read: textReader(property), ...markup }] : [];
  });
  return (row) => {
    let text = '';
    for (const { place, read, filled, empty } of written) {
      const value = row[place];
      const known = value === null || value === undefined ? undefined : read(value);
      text += known === undefined ? empty : filled(escaped(known));
    }
    return text;
  };
};

/** What a reader of XML would take for something else. */
const odd = /[^\x20-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd]/;

const escaped = (text: string): string =>
  odd.test(text) ? xmlText(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
