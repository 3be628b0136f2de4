import { describe, expect, it } from '@jest/globals';
import { parseWith } from '../parse-with.js';
import { ElementDocument } from './definitions.js';
import { WrittenElement } from './writes.js';

const targets = { owner: ['anna'] };

describe('the relations of an element', () => {
  it('are `relations` or `related` in a file, at every depth', () => {
    const written = (name: string) => ({
      ...{ id: 'a', type: 'process', [name]: targets },
      content: [{ id: 'b', type: 'symbol', [name]: targets }],
    });
    const [plain, other] = ['relations', 'related'].map((name) => ElementDocument.parse(written(name)));
    expect(other).toEqual(plain);
    expect(ElementDocument.parse(plain)).toEqual(plain);
    const versions = (name: string) => ({ id: 'a', type: 'process', versions: [{ version: '1.0', [name]: targets }] });
    expect(ElementDocument.parse(versions('related'))).toEqual(ElementDocument.parse(versions('relations')));
  });

  it('are `related` or `relations` in the interface', () => {
    const written = (name: string) => ({
      ...{ type: 'process', [name]: { owner: [{ id: 'anna' }] } },
      content: [{ type: 'symbol', [name]: targets }],
    });
    const [plain, other] = ['related', 'relations'].map((name) => WrittenElement.parse(written(name)));
    expect(other).toEqual(plain);
    expect(plain?.related).toEqual({ owner: [{ id: 'anna' }] });
  });

  it('cannot be both', () => {
    const both = { id: 'a', type: 'process', relations: targets, related: targets };
    const { id: _, ...written } = both;
    for (const parsed of [parseWith(ElementDocument, both, 'file'), parseWith(WrittenElement, written, 'body')])
      expect(parsed.ok ? [] : parsed.faults).toMatchObject([
        { message: expect.stringContaining('one of them is enough') },
      ]);
  });

  it('may hold references and elements as they are read, and no other members', () => {
    const read = { id: 'anna', facetName: 'f', type: 'user', expandUri: 'x', attributes: {}, related: {} };
    expect(WrittenElement.safeParse({ type: 'process', related: { owner: [read] } }).success).toBe(true);
    expect(WrittenElement.safeParse({ type: 'process', related: { owner: [{ ...read, role: 1 }] } }).success).toBe(
      false,
    );
  });
});
