/**
 * Entries as Atom: the feed of a page, or one entry. Of what an entry says of itself its address, its values and its
 * related entries are read from its row.
 */
import { randomUUID } from 'node:crypto';
import { escapeXmlText } from '../xml-text.js';
import { createAtomFeed, createAtomTemplate, type FillTemplate, type AtomLinkMarkup } from './atom-template.js';
import { type GetRowAddress, createEntityAddressGetter, createRelatedAddressGetter } from './entity-address.js';
import {
  type ExpandedEntryLayout,
  hasRelatedEntry,
  type PayloadSerializer,
  type PayloadLayout,
  toRelatedLayout,
  type Row,
  rowFormatKey,
} from './payload.js';
import { createValueTextConverter } from './value-text.js';

/** `now`: when the answer is written; nobody knows when an entry was changed. */
export const createAtomSerializer = (subject: PayloadLayout, now: Date): PayloadSerializer => {
  const updated = now.toISOString();
  return {
    key: rowFormatKey(subject),
    writer: () => entryWriter(subject, updated),
    separator: '',
    head: (count) => (subject.isOne ? '' : createAtomFeed(subject, updated, { count }).before),
    tail: (nextLink) => (subject.isOne ? '' : createAtomFeed(subject, updated, { nextLink }).behind),
  };
};

type WritePart = (row: Row) => string;

const entryWriter = (subject: PayloadLayout, updated: string): WritePart => {
  const address = createEntityAddressGetter(subject);
  const { addressed, transient, links, middle, properties, end } = createAtomTemplate(subject, updated);
  const related = linksWriter(subject, links, updated);
  const values = valuesWriter(subject, properties);
  return (row) => {
    const own = address(row);
    const begin = own === undefined ? transient(`odata:transient:${randomUUID()}`) : addressed(escapeMarkup(own));
    return begin + related(row) + middle + values(row) + end;
  };
};

const linksWriter = (subject: PayloadLayout, links: readonly AtomLinkMarkup[], updated: string): WritePart => {
  const written = subject.type.navigation.flatMap((navigation, index) => {
    const [markup, address] = [links[index], createRelatedAddressGetter(subject, navigation)];
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
  ({ open }: AtomLinkMarkup, address: GetRowAddress): WritePart =>
  (row) => {
    const link = address(row);
    return link === undefined ? '' : open(escapeMarkup(link));
  };

type InlineParts = { readonly markup: AtomLinkMarkup; readonly address: GetRowAddress; readonly updated: string };

/** A link with the related entry in it, or with nothing. It is there even where it has no address but its own. */
const inlineWriter = (
  subject: PayloadLayout,
  expanded: ExpandedEntryLayout,
  { markup: { open, close }, address, updated }: InlineParts,
): WritePart => {
  const related = toRelatedLayout(subject, expanded);
  const [own, write] = [createEntityAddressGetter(related), entryWriter(related, updated)];
  return (row) => {
    const isThere = hasRelatedEntry(row, expanded);
    const link = (isThere ? own(row) : undefined) ?? address(row) ?? '';
    return open(escapeMarkup(link)) + (isThere ? write(row) : '') + close;
  };
};

type PropertyMarkup = { readonly filled: FillTemplate; readonly empty: string };

const valuesWriter = ({ shown, places }: PayloadLayout, properties: readonly PropertyMarkup[]): WritePart => {
  const written = shown.flatMap((property, index) => {
    const markup = properties[index];
    return markup
      ? [{ place: places.get(property.id) ?? -1, read: createValueTextConverter(property), ...markup }]
      : [];
  });
  return (row) => {
    let text = '';
    for (const { place, read, filled, empty } of written) {
      const value = row[place];
      const known = value === null || value === undefined ? undefined : read(value);
      text += known === undefined ? empty : filled(escapeMarkup(known));
    }
    return text;
  };
};

/** What a reader of XML would take for something else. */
const needsEscape = /[^\x20-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd]/;

const escapeMarkup = (text: string): string =>
  needsEscape.test(text) ? escapeXmlText(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
