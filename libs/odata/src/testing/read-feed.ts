/** Reads Atom as a client does: by a parser of XML, which says also whether it is XML at all. */
import { create } from 'xmlbuilder2';
import { validateXML } from 'xmllint-wasm';

type FeedEntry = {
  readonly id: string;
  /** By their relation. */
  readonly links: Readonly<Record<string, string>>;
  readonly term: string;
  readonly properties: readonly (readonly [name: string, text: string | null])[];
  readonly types: Readonly<Record<string, string>>;
};

type Feed = {
  readonly count?: string;
  readonly links: Readonly<Record<string, string>>;
  readonly entries: readonly FeedEntry[];
};

type Node = ReturnType<typeof create>;

const metadata = 'http://docs.oasis-open.org/odata/ns/metadata';
const data = 'http://docs.oasis-open.org/odata/ns/data';
const atom = 'http://www.w3.org/2005/Atom';

/** The first fault that libxml finds. */
export const findXmlFault = async (contents: string): Promise<string | undefined> => {
  const xml = { fileName: 'document.xml', contents };
  const { valid, errors } = await validateXML({ xml, normalization: 'c14n', maxMemoryPages: 2_048 });
  return valid ? undefined : (errors[0]?.message ?? 'not valid');
};

export const parseAtomFeed = (text: string): Feed => {
  const feed = create({ skipWhitespaceOnlyText: false }, text).root();
  const count = childrenOf(feed, metadata, 'count')[0];
  return {
    ...(count && { count: textOf(count) }),
    links: linksOf(feed),
    entries: childrenOf(feed, atom, 'entry').map(entryOf),
  };
};

export const parseAtomEntry = (text: string): FeedEntry =>
  entryOf(create({ skipWhitespaceOnlyText: false }, text).root());

const entryOf = (entry: Node): FeedEntry => {
  const properties = childrenOf(entry, atom, 'content')
    .flatMap((content) => childrenOf(content, metadata, 'properties'))
    .flatMap((parent) => childrenOf(parent, data));
  const types = properties.flatMap((property) => {
    const type = attributeOf(property, 'm:type');
    return type === undefined ? [] : [[nameOf(property), type] as const];
  });
  return {
    id: childrenOf(entry, atom, 'id').map(textOf).join(),
    links: linksOf(entry),
    term: childrenOf(entry, atom, 'category')
      .map((category) => attributeOf(category, 'term'))
      .join(),
    properties: properties.map((property) => [
      nameOf(property),
      attributeOf(property, 'm:null') === 'true' ? null : textOf(property),
    ]),
    types: Object.fromEntries(types),
  };
};

const linksOf = (parent: Node): Readonly<Record<string, string>> =>
  Object.fromEntries(
    childrenOf(parent, atom, 'link').map((link) => [attributeOf(link, 'rel') ?? '', attributeOf(link, 'href') ?? '']),
  );

const childrenOf = (parent: Node, namespace: string, name?: string): readonly Node[] => {
  const found: Node[] = [];
  parent.each((child) => {
    const { node } = child;
    if (!('localName' in node) || !('namespaceURI' in node) || node.namespaceURI !== namespace) return;
    if (name === undefined || node.localName === name) found.push(child);
  });
  return found;
};

const nameOf = ({ node }: Node): string => ('localName' in node ? String(node.localName) : '');

const textOf = ({ node }: Node): string => node.textContent ?? '';

/** The parser leaves references in attributes as they are. */
const attributeOf = ({ node }: Node, name: string): string | undefined => {
  if (!('getAttribute' in node) || typeof node.getAttribute !== 'function') return undefined;
  const value: unknown = node.getAttribute(name);
  return typeof value === 'string' ? value.replaceAll('&amp;', '&') : undefined;
};
