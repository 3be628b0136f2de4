/** The service document. */
import { describe, expect, it } from '@jest/globals';
import { create } from 'xmlbuilder2';
import { createEntityModel } from './model/entity-model-of.js';
import { printServiceDocumentJson, printServiceDocumentXml } from './service-document.js';
import { ordersDefinition, createView } from './testing/sample-views.js';

const model = createEntityModel(createView(ordersDefinition));
const root = 'https://example.org/odata/a&b.svc/';

describe('the service document', () => {
  it('lists entity sets as JSON, with a title where it differs from the name', () => {
    const document: unknown = JSON.parse(printServiceDocumentJson(model, root, 'minimal'));
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
    expect(JSON.parse(printServiceDocumentJson(model, root, 'full'))).toEqual(document);
    expect(JSON.parse(printServiceDocumentJson(model, root, 'none'))).not.toHaveProperty(['@odata.context']);
  });

  it('lists entity sets as Atom', () => {
    const first = { ...model, label: 'All & <more>', types: model.types.slice(0, 1) };
    const xml = printServiceDocumentXml(first, root);
    expect(xml).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>' +
        '<app:service xmlns:app="http://www.w3.org/2007/app" xmlns:atom="http://www.w3.org/2005/Atom"' +
        ' xmlns:metadata="http://docs.oasis-open.org/odata/ns/metadata" xml:base="https://example.org/odata/a&amp;b.svc/"' +
        ' metadata:context="https://example.org/odata/a&amp;b.svc/$metadata">' +
        '<app:workspace><atom:title type="text">All &amp; &lt;more&gt;</atom:title>' +
        '<app:collection href="ITEM_entries" metadata:name="ITEM_entries">' +
        '<atom:title type="text">Order item</atom:title></app:collection></app:workspace></app:service>',
    );
    expect(create(printServiceDocumentXml(model, root)).root().toString()).toContain('DELIVERY_x002D_NOTE_entries');
  });
});
