/** The service document. */
import { describe, expect, it } from '@jest/globals';
import { create } from 'xmlbuilder2';
import { entityModelOf } from './model/entity-model-of.js';
import { serviceDocumentJson, serviceDocumentXml } from './service-document.js';
import { ordersDefinition, viewOf } from './testing/sample-views.js';

const model = entityModelOf(viewOf(ordersDefinition));
const root = 'https://example.org/odata/a&b.svc/';

describe('the service document', () => {
  it('lists entity sets as JSON, with a title where the name does not say it', () => {
    const document: unknown = JSON.parse(serviceDocumentJson(model, root, 'minimal'));
    expect(document).toEqual({
      '@odata.context': 'https://example.org/odata/a&b.svc/$metadata',
      value: [
        { name: 'ITEM_entries', title: 'Order item', kind: 'EntitySet', url: 'ITEM_entries' },
        { name: '_x0043_ontainer_entries', title: 'Order', kind: 'EntitySet', url: '_x0043_ontainer_entries' },
        { name: 'SUPPLIER_entries', kind: 'EntitySet', url: 'SUPPLIER_entries' },
        {
          name: 'DELIVERY_x002D_NOTE_entries',
          title: 'DELIVERY-NOTE',
          kind: 'EntitySet',
          url: 'DELIVERY_x002D_NOTE_entries',
        },
      ],
    });
    expect(JSON.parse(serviceDocumentJson(model, root, 'full'))).toEqual(document);
    expect(JSON.parse(serviceDocumentJson(model, root, 'none'))).not.toHaveProperty(['@odata.context']);
  });

  it('lists them as Atom', () => {
    const first = { ...model, label: 'All & <more>', types: model.types.slice(0, 1) };
    const xml = serviceDocumentXml(first, root);
    expect(xml).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>' +
        '<app:service xmlns:app="http://www.w3.org/2007/app" xmlns:atom="http://www.w3.org/2005/Atom"' +
        ' xmlns:metadata="http://docs.oasis-open.org/odata/ns/metadata" xml:base="https://example.org/odata/a&amp;b.svc/"' +
        ' metadata:context="https://example.org/odata/a&amp;b.svc/$metadata">' +
        '<app:workspace><atom:title type="text">All &amp; &lt;more&gt;</atom:title>' +
        '<app:collection href="ITEM_entries" metadata:name="ITEM_entries">' +
        '<atom:title type="text">Order item</atom:title></app:collection></app:workspace></app:service>',
    );
    expect(create(serviceDocumentXml(model, root)).root().toString()).toContain('DELIVERY_x002D_NOTE_entries');
  });
});
