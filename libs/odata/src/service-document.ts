/** The service document: which entity sets there are, as JSON and as Atom. */
import { create } from 'xmlbuilder2';
import type { EntityModel, EntityType } from './model/entity-model.js';
import type { MetadataLevel } from './query/choose-representation.js';
import { escapeXmlText } from './xml-text.js';

const appNamespace = 'http://www.w3.org/2007/app';
const atomNamespace = 'http://www.w3.org/2005/Atom';
const metadataNamespace = 'http://docs.oasis-open.org/odata/ns/metadata';

/** `root`: the absolute address of the service, with a slash at its end. Addresses of entity sets are relative to it. */
export const printServiceDocumentJson = ({ types }: EntityModel, root: string, metadata: MetadataLevel): string =>
  JSON.stringify({
    ...(metadata !== 'none' && { '@odata.context': contextOf(root) }),
    value: types.map((type) => ({
      name: type.setName,
      ...(hasLabel(type) && { title: type.label }),
      kind: 'EntitySet',
      url: type.setName,
    })),
  });

export const printServiceDocumentXml = ({ label, types }: EntityModel, root: string): string => {
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  const service = document
    .ele(appNamespace, 'app:service')
    .att('http://www.w3.org/2000/xmlns/', 'xmlns:atom', atomNamespace)
    .att('http://www.w3.org/2000/xmlns/', 'xmlns:metadata', metadataNamespace)
    .att('http://www.w3.org/XML/1998/namespace', 'xml:base', escapeXmlText(root))
    .att(metadataNamespace, 'metadata:context', escapeXmlText(contextOf(root)));
  const workspace = service.ele(appNamespace, 'app:workspace');
  workspace.ele(atomNamespace, 'atom:title').att('type', 'text').txt(escapeXmlText(label));
  for (const type of types) {
    const collection = workspace.ele(appNamespace, 'app:collection').att('href', type.setName);
    collection.att(metadataNamespace, 'metadata:name', type.setName);
    collection
      .ele(atomNamespace, 'atom:title')
      .att('type', 'text')
      .txt(escapeXmlText(hasLabel(type) ? type.label : type.setName));
  }
  return document.end();
};

const contextOf = (root: string): string => `${root}$metadata`;

const hasLabel = ({ label, name }: EntityType): boolean => label !== name;
