/** The metadata documents of a model as a caller sees it, each printed once. Refuses: rows. */
import { csdlJson, csdlXml, type EntityModel, type Representation } from '@tessera/odata';

/** By version and format, as many as there can be. */
const printed = new WeakMap<EntityModel, Map<string, Buffer>>();

export const metadataDocument = (model: EntityModel, { version, format }: Representation): Buffer => {
  const documents = printed.get(model) ?? new Map<string, Buffer>();
  printed.set(model, documents);
  const name = `${version} ${format.kind}`;
  const known = documents.get(name);
  if (known) return known;
  const document = Buffer.from(format.kind === 'json' ? csdlJson(model, version) : csdlXml(model, version));
  documents.set(name, document);
  return document;
};
