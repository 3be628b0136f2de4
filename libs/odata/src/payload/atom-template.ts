/**
 * The markup of Atom, made once for a page by the builder of XML and cut where values go: to build each element of each
 * row takes half a second for a page of a thousand rows, to put values into what was built some milliseconds. Never put
 * a value into a gap unescaped.
 */
import { create } from 'xmlbuilder2';
import { type EntityProperty, namespace, type NavigationProperty } from '../model/entity-model.js';
import { xmlText } from '../xml-text.js';
import { contextOf, type PayloadSubject } from './payload.js';

/** Markup with a text in its gaps, the same in each. */
export type Fill = (text: string) => string;

type AtomTemplate = {
  /** The beginning of an entry that has an address. */
  readonly addressed: Fill;
  /** The beginning of one that has only an id. */
  readonly transient: Fill;
  /** In the order of the navigation properties; the related entry stands before `close`. */
  readonly links: readonly LinkMarkup[];
  readonly middle: string;
  /** In the order in which they are shown. */
  readonly properties: readonly { readonly filled: Fill; readonly empty: string }[];
  readonly end: string;
};

export type LinkMarkup = { readonly open: Fill; readonly close: string };

type Element = ReturnType<typeof create>;

const atom = 'http://www.w3.org/2005/Atom';
const metadata = 'http://docs.oasis-open.org/odata/ns/metadata';
const data = 'http://docs.oasis-open.org/odata/ns/data';
const related = 'http://docs.oasis-open.org/odata/ns/related/';
const scheme = 'http://docs.oasis-open.org/odata/ns/scheme';
const xmlns = 'http://www.w3.org/2000/xmlns/';
const xml = 'http://www.w3.org/XML/1998/namespace';

/** Characters for private use, which neither names nor addresses have: a gap, and a place to cut. */
const gap = '\ue000';
const cutMark = '\ue001';
const inline = '\ue002';

type FeedParts = { readonly count?: string | undefined; readonly nextLink?: string | undefined };

/** What stands before the entries of a feed, and behind them. */
export const atomFeed = (subject: PayloadSubject, updated: string, { count, nextLink }: FeedParts) => {
  const { root, type } = subject;
  const address = `${root}${type.setName}`;
  const feed = rootElement(subject, 'feed');
  feed.ele(atom, 'id').txt(xmlText(address));
  feed.ele(atom, 'title').txt(type.setName);
  feed.ele(atom, 'updated').txt(updated);
  feed.ele(atom, 'link').att('rel', 'self').att('title', type.setName).att('href', xmlText(address));
  if (count !== undefined) feed.ele(metadata, 'm:count').txt(count);
  feed.txt(cutMark);
  if (nextLink !== undefined) feed.ele(atom, 'link').att('rel', 'next').att('href', xmlText(nextLink));
  const [before = '', behind = ''] = feed.doc().end().split(cutMark);
  return { before, behind };
};

export const atomTemplate = (subject: PayloadSubject, updated: string): AtomTemplate => {
  const [addressed = '', ...further] = cutEntry(subject, updated, true);
  const [transient = ''] = cutEntry({ ...subject, shown: [] }, updated, false);
  const linksMax = subject.type.navigation.length;
  const [middle = '', ...values] = further.slice(linksMax);
  return {
    addressed: fill(addressed),
    transient: fill(transient),
    links: further.slice(0, linksMax).map(linkMarkup),
    middle,
    properties: subject.shown.map((_property, index) => ({
      filled: fill(values[2 * index] ?? ''),
      empty: values[2 * index + 1] ?? '',
    })),
    end: values.at(-1) ?? '',
  };
};

const fill = (markup: string): Fill => {
  const [before = '', ...behind] = markup.split(gap);
  const [only] = behind;
  if (behind.length === 1) return (text) => before + text + only;
  return (text) => [before, ...behind].join(text);
};

const linkMarkup = (markup: string): LinkMarkup => {
  const [open = '', close = ''] = markup.split(inline);
  return { open: fill(open), close };
};

/** The beginning, the links, what stands before the properties, each of them with a value and without, the end. */
const cutEntry = (subject: PayloadSubject, updated: string, isAddressed: boolean): readonly string[] => {
  const { type, shown, isOne } = subject;
  const parent = isOne ? undefined : rootElement(subject, 'feed').txt(cutMark);
  const entry = parent?.ele(atom, 'entry') ?? rootElement(subject, 'entry');
  entry.ele(atom, 'id').txt(gap);
  entry.ele(atom, 'category').att('scheme', scheme).att('term', `#${namespace}.${type.name}`);
  if (isAddressed) entry.ele(atom, 'link').att('rel', 'self').att('title', type.name).att('href', gap);
  entry.txt(cutMark);
  for (const navigation of type.navigation) {
    const link = writeLink(entry, navigation);
    if (subject.expanded.some(({ name }) => name === navigation.name)) link.ele(metadata, 'm:inline').txt(inline);
    entry.txt(cutMark);
  }
  entry.ele(atom, 'title');
  entry.ele(atom, 'updated').txt(updated);
  entry.ele(atom, 'author').ele(atom, 'name');
  const properties = entry.ele(atom, 'content').att('type', 'application/xml').ele(metadata, 'm:properties');
  properties.txt(cutMark);
  for (const property of shown) writeProperty(properties, property);
  parent?.txt(cutMark);
  const pieces = entry.doc().end().split(cutMark);
  return isOne ? pieces : pieces.slice(1, -1);
};

const writeLink = (entry: Element, { name, isCollection }: NavigationProperty): Element =>
  entry
    .ele(atom, 'link')
    .att('rel', `${related}${name}`)
    .att('type', `application/atom+xml;type=${isCollection ? 'feed' : 'entry'}`)
    .att('title', name)
    .att('href', gap);

const writeProperty = (properties: Element, { name, edmType }: EntityProperty): void => {
  const filled = properties.ele(data, `d:${name}`);
  if (edmType !== 'Edm.String') filled.att(metadata, 'm:type', edmType.slice(4));
  filled.txt(gap);
  properties.txt(cutMark).ele(data, `d:${name}`).att(metadata, 'm:null', 'true');
  properties.txt(cutMark);
};

/** With all namespaces, so that nothing inside has to declare one. */
const rootElement = (subject: PayloadSubject, name: 'feed' | 'entry'): Element =>
  create({ version: '1.0', encoding: 'UTF-8' })
    .ele(atom, name)
    .att(xmlns, 'xmlns:m', metadata)
    .att(xmlns, 'xmlns:d', data)
    .att(xml, 'xml:base', xmlText(subject.root))
    .att(metadata, 'm:context', xmlText(contextOf(subject)));
