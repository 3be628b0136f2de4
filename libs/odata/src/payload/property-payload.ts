/** The value of one property, as a document of its own or as plain text. */
import { create } from 'xmlbuilder2';
import type { EntityProperty } from '../model/entity-model.js';
import { escapeXmlText } from '../xml-text.js';
import { createEntityAddressGetter } from './entity-address.js';
import { createValuesWriter } from './json-payload.js';
import type { PayloadLayout, Row } from './payload.js';
import { createValueTextConverter } from './value-text.js';

/** Undefined: the value is null. */
export const propertyValueText = (
  property: EntityProperty,
  { places }: Pick<PayloadLayout, 'places'>,
  row: Row,
): string | undefined => {
  const value = row[places.get(property.id) ?? -1];
  return value === null || value === undefined ? undefined : createValueTextConverter(property)(value);
};

type PropertySubject = Pick<PayloadLayout, 'root' | 'type' | 'places' | 'representation'>;

/** Undefined: the value is null, which has no document. */
export const printPropertyDocument = (
  property: EntityProperty,
  subject: PropertySubject,
  row: Row,
): string | undefined => {
  const text = propertyValueText(property, subject, row);
  if (text === undefined) return undefined;
  const { root, representation } = subject;
  const { format } = representation;
  const address = createEntityAddressGetter(subject)(row);
  const of = address === undefined ? property.edmType : `${address.slice(root.length)}/${property.name}`;
  const context = `${root}$metadata#${of}`;
  if (format.kind !== 'json') return propertyXml(property, context, text);
  const control = [
    ...(format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(context)}`]),
    ...(format.metadata === 'full' ? [`"@odata.type":"#${property.edmType.slice(4)}"`] : []),
  ];
  const value = createValuesWriter(
    { ...subject, shown: [{ ...property, name: 'value' }] },
    { ...format, metadata: 'minimal' },
    control.length > 0 ? ',' : '',
  );
  return `{${control.join(',')}${value(row)}}`;
};

const metadataNamespace = 'http://docs.oasis-open.org/odata/ns/metadata';

const propertyXml = ({ edmType }: EntityProperty, context: string, text: string): string => {
  const value = create({ version: '1.0', encoding: 'UTF-8' })
    .ele(metadataNamespace, 'm:value')
    .att(metadataNamespace, 'm:context', escapeXmlText(context));
  if (edmType !== 'Edm.String') value.att(metadataNamespace, 'm:type', edmType.slice(4));
  return value.txt(escapeXmlText(text)).doc().end();
};
