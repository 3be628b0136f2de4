/** The value of one property, as a document of its own or as plain text. */
import { create } from 'xmlbuilder2';
import type { EntityProperty } from '../model/entity-model.js';
import { xmlText } from '../xml-text.js';
import { entityAddress } from './entity-address.js';
import { valuesWriter } from './json-payload.js';
import type { PayloadSubject, Row } from './payload.js';
import { textReader } from './value-text.js';

/** Undefined: the value is null. */
export const propertyText = (
  property: EntityProperty,
  { places }: Pick<PayloadSubject, 'places'>,
  row: Row,
): string | undefined => {
  const value = row[places.get(property.id) ?? -1];
  return value === null || value === undefined ? undefined : textReader(property)(value);
};

type PropertySubject = Pick<PayloadSubject, 'root' | 'type' | 'places' | 'representation'>;

/** Undefined: the value is null, which has no document. */
export const propertyBody = (property: EntityProperty, subject: PropertySubject, row: Row): string | undefined => {
  const text = propertyText(property, subject, row);
  if (text === undefined) return undefined;
  const { root, representation } = subject;
  const { format } = representation;
  const address = entityAddress(subject)(row);
  const of = address === undefined ? property.edmType : `${address.slice(root.length)}/${property.name}`;
  const context = `${root}$metadata#${of}`;
  if (format.kind !== 'json') return propertyXml(property, context, text);
  const control = [
    ...(format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(context)}`]),
    ...(format.metadata === 'full' ? [`"@odata.type":"#${property.edmType.slice(4)}"`] : []),
  ];
  const value = valuesWriter(
    { ...subject, shown: [{ ...property, name: 'value' }] },
    { ...format, metadata: 'minimal' },
    control.length > 0 ? ',' : '',
  );
  return `{${control.join(',')}${value(row)}}`;
};

const metadata = 'http://docs.oasis-open.org/odata/ns/metadata';

const propertyXml = ({ edmType }: EntityProperty, context: string, text: string): string => {
  const value = create({ version: '1.0', encoding: 'UTF-8' })
    .ele(metadata, 'm:value')
    .att(metadata, 'm:context', xmlText(context));
  if (edmType !== 'Edm.String') value.att(metadata, 'm:type', edmType.slice(4));
  return value.txt(xmlText(text)).doc().end();
};
