/**
 * The markup of Atom, made once for a page by the builder of XML and cut where values go: to build each element of each
 * row takes half a second for a page of a thousand rows, to put values into what was built some milliseconds. Never put
 * a value into a gap unescaped.
 */
import { create } from 'xmlbuilder2';
import { type EntityProperty, schemaNamespace, type NavigationProperty } from '../model/entity-model.js';
import { escapeXmlText } from '../xml-text.js';
import { contextUrlOf, type PayloadLayout } from './payload.js';

/** Markup with a text in its gaps, the same in each. */
export type FillTemplate = (text: string) => string;

type AtomTemplate = {
  /** The beginning of an entry that has an address. */
  readonly addressed: FillTemplate;
  /** The beginning of one that has only an id. */
  readonly transient: FillTemplate;
  /** In the order of the navigation properties; the related entry stands before `close`. */
  readonly links: readonly AtomLinkMarkup[];
  readonly middle: string;
  /** In the order in which they are shown. */
  readonly properties: readonly { readonly filled: FillTemplate; readonly empty: string }[];
  readonly end: string;
};

export type AtomLinkMarkup = { readonly open: FillTemplate; readonly close: string };

type Element = ReturnType<typeof create>;

const atomNamespace = 'http://www.w3.org/2005/Atom';
const metadataNamespace = 'http://docs.oasis-open.org/odata/ns/metadata';
const dataNamespace = 'http://docs.oasis-open.org/odata/ns/data';
const relatedPrefix = 'http://docs.oasis-open.org/odata/ns/related/';
const schemeAddress = 'http://docs.oasis-open.org/odata/ns/scheme';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/** Characters for private use, which neither names nor addresses have: a gap, and a place to cut. */
const gapMark = '\ue000';
const cutMark = '\ue001';
const inlineMark = '\ue002';

type FeedParts = { readonly count?: string | undefined; readonly nextLink?: string | undefined };

/** What stands before the entries of a feed, and behind them. */
export const createAtomFeed = (subject: PayloadLayout, updated: string, { count, nextLink }: FeedParts) => {
  const { root, type } = subject;
  const address = `${root}${type.setName}`;
  const feed = rootElement(subject, 'feed');
  feed.ele(atomNamespace, 'id').txt(escapeXmlText(address));
  feed.ele(atomNamespace, 'title').txt(type.setName);
  feed.ele(atomNamespace, 'updated').txt(updated);
  feed.ele(atomNamespace, 'link').att('rel', 'self').att('title', type.setName).att('href', escapeXmlText(address));
  if (count !== undefined) feed.ele(metadataNamespace, 'm:count').txt(count);
  feed.txt(cutMark);
  if (nextLink !== undefined) feed.ele(atomNamespace, 'link').att('rel', 'next').att('href', escapeXmlText(nextLink));
  const [before = '', behind = ''] = feed.doc().end().split(cutMark);
  return { before, behind };
};

export const createAtomTemplate = (subject: PayloadLayout, updated: string): AtomTemplate => {
  const [addressed = '', ...further] = cutEntry(subject, updated, true);
  const [transient = ''] = cutEntry({ ...subject, shown: [] }, updated, false);
  const linksMax = subject.type.navigation.length;
  const [middle = '', ...values] = further.slice(linksMax);
  return {
    addressed: fillTemplate(addressed),
    transient: fillTemplate(transient),
    links: further.slice(0, linksMax).map(linkMarkup),
    middle,
    properties: subject.shown.map((_property, index) => ({
      filled: fillTemplate(values[2 * index] ?? ''),
      empty: values[2 * index + 1] ?? '',
    })),
    end: values.at(-1) ?? '',
  };
};

const fillTemplate = (markup: string): FillTemplate => {
  const [before = '', ...behind] = markup.split(gapMark);
  const [only] = behind;
  if (behind.length === 1) return (text) => before + text + only;
  return (text) => [before, ...behind].join(text);
};

const linkMarkup = (markup: string): AtomLinkMarkup => {
  const [open = '', close = ''] = markup.split(inlineMark);
  return { open: fillTemplate(open), close };
};

/** The beginning, the links, what stands before the properties, each of them with a value and without, the end. */
const cutEntry = (subject: PayloadLayout, updated: string, isAddressed: boolean): readonly string[] => {
  const { type, shown, isOne } = subject;
  const parent = isOne ? undefined : rootElement(subject, 'feed').txt(cutMark);
  const entry = parent?.ele(atomNamespace, 'entry') ?? rootElement(subject, 'entry');
  entry.ele(atomNamespace, 'id').txt(gapMark);
  entry.ele(atomNamespace, 'category').att('scheme', schemeAddress).att('term', `#${schemaNamespace}.${type.name}`);
  if (isAddressed) entry.ele(atomNamespace, 'link').att('rel', 'self').att('title', type.name).att('href', gapMark);
  entry.txt(cutMark);
  for (const navigation of type.navigation) {
    const link = writeLink(entry, navigation);
    if (subject.expanded.some(({ name }) => name === navigation.name))
      link.ele(metadataNamespace, 'm:inline').txt(inlineMark);
    entry.txt(cutMark);
  }
  entry.ele(atomNamespace, 'title');
  entry.ele(atomNamespace, 'updated').txt(updated);
  entry.ele(atomNamespace, 'author').ele(atomNamespace, 'name');
  const properties = entry
    .ele(atomNamespace, 'content')
    .att('type', 'application/xml')
    .ele(metadataNamespace, 'm:properties');
  properties.txt(cutMark);
  for (const property of shown) writeProperty(properties, property);
  parent?.txt(cutMark);
  const pieces = entry.doc().end().split(cutMark);
  return isOne ? pieces : pieces.slice(1, -1);
};

const writeLink = (entry: Element, { name, isCollection }: NavigationProperty): Element =>
  entry
    .ele(atomNamespace, 'link')
    .att('rel', `${relatedPrefix}${name}`)
    .att('type', `application/atom+xml;type=${isCollection ? 'feed' : 'entry'}`)
    .att('title', name)
    .att('href', gapMark);

const writeProperty = (properties: Element, { name, edmType }: EntityProperty): void => {
  const filled = properties.ele(dataNamespace, `d:${name}`);
  if (edmType !== 'Edm.String') filled.att(metadataNamespace, 'm:type', edmType.slice(4));
  filled.txt(gapMark);
  properties.txt(cutMark).ele(dataNamespace, `d:${name}`).att(metadataNamespace, 'm:null', 'true');
  properties.txt(cutMark);
};

/** With all namespaces, so that nothing inside has to declare one. */
const rootElement = (subject: PayloadLayout, name: 'feed' | 'entry'): Element =>
  create({ version: '1.0', encoding: 'UTF-8' })
    .ele(atomNamespace, name)
    .att(xmlnsNamespace, 'xmlns:m', metadataNamespace)
    .att(xmlnsNamespace, 'xmlns:d', dataNamespace)
    .att(xmlNamespace, 'xml:base', escapeXmlText(subject.root))
    .att(metadataNamespace, 'm:context', escapeXmlText(contextUrlOf(subject)));
