import { describe, expect, it } from '@jest/globals';
import { parseStorageDefinition, parseElementDocument, parseWith } from '@tessera/content-model';
import type { Fault } from '@tessera/failures';
import { parseKnowledgeModel } from '@tessera/knowledge-model';
import { ElementsDocument } from './workspace-document.js';
import { parseLeniently } from './parse-leniently.js';

const fault = (path: string, rule = 'unknown'): Fault => ({ in: 'elements', path, message: 'x', rule });

describe('parseLeniently', () => {
  it('returns a valid document unchanged', () => {
    const read = parseLeniently({ id: 'a', type: 'process' }, parseElementDocument);
    expect(read.value).toEqual({ id: 'a', type: 'process' });
    expect(read.faults).toEqual([]);
    expect(read.asWritten([fault('type')])).toEqual([fault('type')]);
  });

  it('treats a misspelt member as the nearest known one and reports faults at the written name', () => {
    const read = parseLeniently({ id: 'a', type: 'process', atributes: { weigth: 3 } }, parseElementDocument);
    expect(read.value).toEqual({ id: 'a', type: 'process', attributes: { weigth: 3 } });
    expect(read.faults.map(({ path }) => path)).toEqual(['atributes']);
    expect(read.asWritten([fault('attributes.weigth'), fault('type')])).toEqual([
      fault('atributes.weigth'),
      fault('type'),
    ]);
  });

  it('does not report a misspelt member as missing', () => {
    const read = parseLeniently({ id: 'a', tpye: 'process' }, parseElementDocument);
    expect(read.value).toEqual({ id: 'a', type: 'process' });
    expect(read.faults.map(({ path }) => path)).toEqual(['tpye']);
  });

  it('repairs members inside lists', () => {
    const definition = {
      kind: 'Storage',
      collection: 'c',
      id: 's',
      title: 'T',
      cultures: [1033],
      defaultCulture: 1033,
      facets: [{ name: 'f', displayNames: { 1033: 'F' } }],
      types: [{ name: 't', facet: 'f', displayNames: { 1033: 'T' }, attributes: [{ name: 'a' }, { nmae: 'b' }] }],
    };
    const read = parseLeniently(definition, parseStorageDefinition);
    expect(read.value?.types[0]?.attributes).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(read.faults.map(({ path }) => path)).toEqual(['types.0.attributes.1.nmae']);
    expect(read.asWritten([fault('types.0.attributes.1.name')])).toEqual([fault('types.0.attributes.1.nmae')]);
  });

  it('drops an invalid member without reporting it as missing', () => {
    const read = parseLeniently(
      { id: 'a', type: 'process', version: 1, attributes: { name: null } },
      parseElementDocument,
    );
    expect(read.value).toEqual({ id: 'a', type: 'process', attributes: {} });
    expect(read.faults.map(({ path }) => path)).toEqual(['version', 'attributes.name']);
    expect(read.asWritten([fault('attributes', 'mandatory')])).toEqual([]);
  });

  it('treats a misspelt enum value as the nearest known one', () => {
    const document = {
      ...{ kind: 'KnowledgeModel', id: 'm' },
      records: [{ id: 'R', attributes: [{ id: 'A', type: 'intger' }] }],
      relationships: [{ from: 'R', to: 'R', on: { A: 'A' }, cardinality: 'many-to-on' }],
    };
    const read = parseLeniently(document, parseKnowledgeModel);
    expect(read.value?.records?.[0]?.attributes?.[0]?.type).toBe('integer');
    expect(read.value?.relationships?.[0]?.cardinality).toBe('many-to-one');
    expect(read.faults.map(({ path }) => path)).toEqual(['records.0.attributes.0.type', 'relationships.0.cardinality']);
  });

  it('derives the kind of a document from its folder', () => {
    const parse = (value: unknown) => parseWith(ElementsDocument, value, 'elements');
    expect(parseLeniently({ kind: 'Element', elements: [1] }, parse).value).toEqual({
      kind: 'Elements',
      elements: [1],
    });
    const read = parseLeniently({ elements: [] }, parse);
    expect([read.value?.kind, read.faults.length]).toEqual(['Elements', 1]);
  });

  it('reads a key that YAML parsed as a number', () => {
    expect(parseLeniently({ id: 4711, type: 'process', parent: 12 }, parseElementDocument).value).toEqual({
      id: '4711',
      type: 'process',
      parent: '12',
    });
  });

  it('returns no value when too few members are valid', () => {
    const read = parseLeniently({ id: 'a' }, parseElementDocument);
    expect(read.value).toBe(undefined);
    expect(read.faults.map(({ message }) => message)).toEqual(['is missing; expected string']);
    expect(parseLeniently('text', parseElementDocument).value).toBe(undefined);
    expect(parseLeniently(null, parseElementDocument).faults).toHaveLength(1);
  });

  it('always returns a fault for a document that its schema refuses', () => {
    const faultsOf = (given: readonly Fault[]) => {
      const read = parseLeniently({ a: 1 }, () => ({ ok: false, faults: given }));
      return read.faults.map(({ path, message }) => [path, message]);
    };
    const unknown = (path: string, suggestion: string): Fault => ({
      ...fault(path, 'unrecognized_keys'),
      suggestion,
    });
    expect(faultsOf([unknown('a', 'a')])).toEqual([['a', 'x']]);
    expect(faultsOf([unknown('a', 'b'), unknown('b', 'c')])).toEqual([
      ['a', 'x'],
      ['b', 'x'],
    ]);
    expect(faultsOf([])).toEqual([['', 'does not have the form of its kind']]);
  });
});
