/**
 * Entries as Atom: the feed of a page, or one entry. Of what an entry says of itself its address, its values and its
 * related entries are read from its row.
 */
import { randomUUID } from 'node:crypto';
import { xmlText } from '../xml-text.js';
import { atomFeed, atomTemplate, type Fill, type LinkMarkup } from './atom-template.js';
import { type AddressOf, entityAddress, relatedAddress } from './entity-address.js';
import {
  type ExpandedSubject,
  isPresent,
  type Payload,
  type PayloadSubject,
  relatedSubject,
  type Row,
  rowKey,
} from './payload.js';
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
  const related = linksWriter(subject, links, updated);
  const values = valuesWriter(subject, properties);
  return (row) => {
    const own = address(row);
    const begin = own === undefined ? transient(`odata:transient:${randomUUID()}`) : addressed(escaped(own));
    return begin + related(row) + middle + values(row) + end;
  };
};

const linksWriter = (subject: PayloadSubject, links: readonly LinkMarkup[], updated: string): WritePart => {
  const written = subject.type.navigation.flatMap((navigation, index) => {
    const [markup, address] = [links[index], relatedAddress(subject, navigation)];
    if (!markup) return [];
    const expanded = subject.expanded.find(({ name }) => name === navigation.name);
    return [expanded ? inlineWriter(subject, expanded, { markup, address, updated }) : linkWriter(markup, address)];
  });
  return (row) => {
    let text = '';
    for (const write of written) text += write(row);
    return text;
  };
};

const linkWriter =
  ({ open }: LinkMarkup, address: AddressOf): WritePart =>
  (row) => {
    const link = address(row);
    return link === undefined ? '' : open(escaped(link));
  };

type InlineParts = { readonly markup: LinkMarkup; readonly address: AddressOf; readonly updated: string };

/** A link with the related entry in it, or with nothing. It is there even where it has no address but its own. */
const inlineWriter = (
  subject: PayloadSubject,
  expanded: ExpandedSubject,
  { markup: { open, close }, address, updated }: InlineParts,
): WritePart => {
  const related = relatedSubject(subject, expanded);
  const [own, write] = [entityAddress(related), entryWriter(related, updated)];
  return (row) => {
    const isThere = isPresent(row, expanded);
    const link = (isThere ? own(row) : undefined) ?? address(row) ?? '';
    return open(escaped(link)) + (isThere ? write(row) : '') + close;
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
const needsEscape = /[^\x20-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd]/;

const escaped = (text: string): string =>
  needsEscape.test(text) ? xmlText(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
