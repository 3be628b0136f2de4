/** The examples of docs/workspace.md are what the checks take. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { checkDefinition } from './check-definition.js';
import { checkElement } from './check-element.js';
import { parseStorageDefinition, parseElementDocument } from './schema-faults.js';
import { systemAttributes, systemRelations } from './system-attributes.js';
import { normaliseDefinition, type StorageModel } from './storage-model.js';

const text = readFileSync(new URL('../../../docs/workspace.md', import.meta.url), 'utf8');
type Example = { readonly kind: string; readonly storages?: readonly string[]; readonly elements?: readonly unknown[] };

const examples = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']): Example => parse(block));
const example = (kind: string): Example => {
  const found = examples.find((candidate) => candidate.kind === kind);
  if (!found) throw new Error(`The page has no example of ${kind}.`);
  return found;
};

const faultsOf = (model: StorageModel, element: unknown) => {
  const parsed = parseElementDocument(element);
  return parsed.ok ? checkElement(model, parsed.value) : parsed.faults;
};

describe('docs/workspace.md', () => {
  it('contains a valid definition and valid elements', () => {
    const definition = parseStorageDefinition(example('Storage'));
    if (!definition.ok) throw new Error(JSON.stringify(definition.faults));
    expect(checkDefinition(definition.value)).toEqual([]);
    const model = normaliseDefinition(definition.value);
    expect(example('Workspace').storages).toEqual([`${model.collection}/${model.id}`]);
    expect((example('Elements').elements ?? []).flatMap((element) => faultsOf(model, element))).toEqual([]);
  });

  it('names every system attribute and relation', () => {
    for (const name of [...systemAttributes.map((attribute) => attribute.name), ...systemRelations])
      expect(text).toContain(`\`${name}\``);
  });
});
