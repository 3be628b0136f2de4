import { describe, expect, it } from '@jest/globals';
import { compareVersions } from './compare-versions.js';
import { readOnlyElement } from './content-element.js';
import { spelledOut } from './names.js';

const read = (value: object) => {
  const element = readOnlyElement({ elements: [{ id: 'e', ...value }] });
  if (element === undefined) throw new Error('There is no element.');
  return element;
};
const scope = { type: undefined, culture: '1033', labelOf: spelledOut, contentLabel: 'Content' };
const compare = (before: object, after: object) => compareVersions(read(before), read(after), scope);

describe('two versions', () => {
  it('differ in texts, language by language', () => {
    const before = { attributes: { name: { 1033: 'Check invoices', 1031: 'Prüfen' } } };
    const after = { attributes: { name: { 1033: 'Verify invoices', 1031: 'Prüfen', 3082: 'Verificar' } } };
    expect(compare(before, after)).toEqual({
      changed: [
        {
          kind: 'attribute',
          name: 'name',
          label: 'Name',
          culture: '1033',
          before: 'Check invoices',
          after: 'Verify invoices',
        },
        { kind: 'attribute', name: 'name', label: 'Name', culture: '3082', before: undefined, after: 'Verificar' },
      ],
      sameCount: 1,
    });
  });

  it('differ in values that have no language', () => {
    const { changed } = compare({ attributes: { cost: { 127: 0 } } }, { attributes: { cost: { 127: 7 } } });
    expect(changed).toMatchObject([{ name: 'cost', culture: undefined, before: 0, after: 7 }]);
  });

  it('do not differ in what the server counts, nor where nothing is said in two ways', () => {
    const before = { attributes: { version: { 127: '1.0' }, purp: { 1033: '' } } };
    expect(compare(before, { attributes: { version: { 127: '2.0' } } }).changed).toEqual([]);
  });

  it('differ in what they lead to', () => {
    const { changed, sameCount } = compare(
      { related: { uses: [{ id: 'a' }, { id: 'b' }], owner: [{ id: 'ann' }] } },
      { related: { uses: [{ id: 'b' }, { id: 'c' }], owner: [{ id: 'ann' }] } },
    );
    expect(changed).toMatchObject([
      { kind: 'relation', name: 'uses', removed: [{ id: 'a' }], added: [{ id: 'c' }], kept: [{ id: 'b' }] },
    ]);
    expect(sameCount).toBe(1);
  });

  it('differ in their content by types and names, not by the ids of copies', () => {
    const symbol = (id: string, name: string) => ({ id, type: 'decision', attributes: { name: { 1033: name } } });
    const { changed } = compare(
      { content: [symbol('1', 'Match?'), symbol('2', 'Blocked?')] },
      { content: [symbol('3', 'Match?'), symbol('4', 'Duplicate?')] },
    );
    expect(changed).toMatchObject([
      { kind: 'content', label: 'Content', removed: [{ id: '2' }], added: [{ id: '4' }] },
    ]);
  });

  it('that are alike have no differences', () => {
    const version = { attributes: { name: { 1033: 'Order' } }, content: [{ id: '1', type: 'lane' }] };
    expect(compare(version, version)).toEqual({ changed: [], sameCount: 2 });
  });
});
