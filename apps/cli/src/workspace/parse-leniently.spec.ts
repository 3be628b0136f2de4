import { describe, expect, it } from '@jest/globals';
import { parseDefinition, parseElement, parseWith } from '@tessera/content-model';
import type { Fault } from '@tessera/failures';
import { parseKnowledgeModel } from '@tessera/knowledge-model';
import { ElementsFrame } from './workspace-document.js';
import { parseLeniently } from './parse-leniently.js';

const fault = (path: string, rule = 'unknown'): Fault => ({ in: 'elements', path, message: 'x', rule });

describe('readPastFaults', () => {
  it('answers a document without a fault as it is', () => {
    const read = parseLeniently({ id: 'a', type: 'process' }, parseElement);
    expect(read.value).toEqual({ id: 'a', type: 'process' });
    expect(read.faults).toEqual([]);
    expect(read.asWritten([fault('type')])).toEqual([fault('type')]);
  });

  it('takes a misspelt member for the one that was meant, and tells faults where they are written', () => {
    const read = parseLeniently({ id: 'a', type: 'process', atributes: { weigth: 3 } }, parseElement);
    expect(read.value).toEqual({ id: 'a', type: 'process', attributes: { weigth: 3 } });
    expect(read.faults.map(({ path }) => path)).toEqual(['atributes']);
    expect(read.asWritten([fault('attributes.weigth'), fault('type')])).toEqual([
      fault('atributes.weigth'),
      fault('type'),
    ]);
  });

  it('does not call a member missing that is there under a wrong name', () => {
    const read = parseLeniently({ id: 'a', tpye: 'process' }, parseElement);
    expect(read.value).toEqual({ id: 'a', type: 'process' });
    expect(read.faults.map(({ path }) => path)).toEqual(['tpye']);
  });

  it('finds the member inside lists', () => {
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
    const read = parseLeniently(definition, parseDefinition);
    expect(read.value?.types[0]?.attributes).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(read.faults.map(({ path }) => path)).toEqual(['types.0.attributes.1.nmae']);
    expect(read.asWritten([fault('types.0.attributes.1.name')])).toEqual([fault('types.0.attributes.1.nmae')]);
  });

  it('leaves out what is wrong, and then does not miss it', () => {
    const read = parseLeniently({ id: 'a', type: 'process', version: 1, attributes: { name: null } }, parseElement);
    expect(read.value).toEqual({ id: 'a', type: 'process', attributes: {} });
    expect(read.faults.map(({ path }) => path)).toEqual(['version', 'attributes.name']);
    expect(read.asWritten([fault('attributes', 'mandatory')])).toEqual([]);
  });

  it('takes a misspelt value of a closed list for the one that was meant', () => {
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

  it('knows the kind of a file by its place', () => {
    const parse = (value: unknown) => parseWith(ElementsFrame, value, 'elements');
    expect(parseLeniently({ kind: 'Element', elements: [1] }, parse).value).toEqual({
      kind: 'Elements',
      elements: [1],
    });
    const read = parseLeniently({ elements: [] }, parse);
    expect([read.value?.kind, read.faults.length]).toEqual(['Elements', 1]);
  });

  it('reads a key that YAML took for a number', () => {
    expect(parseLeniently({ id: 4711, type: 'process', parent: 12 }, parseElement).value).toEqual({
      id: '4711',
      type: 'process',
      parent: '12',
    });
  });

  it('has no value when too little is left', () => {
    const read = parseLeniently({ id: 'a' }, parseElement);
    expect(read.value).toBe(undefined);
    expect(read.faults.map(({ message }) => message)).toEqual(['is missing; expected string']);
    expect(parseLeniently('text', parseElement).value).toBe(undefined);
    expect(parseLeniently(null, parseElement).faults).toHaveLength(1);
  });
});
