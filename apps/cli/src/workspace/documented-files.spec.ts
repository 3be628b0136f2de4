import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseWith } from '@tessera/contracts';
import { AgentDefinition, AgentLimits, EndpointModel } from '@tessera/contracts/agents';
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { checkTable, parseKnowledgeModel, parseTable } from '@tessera/knowledge-model';
import { parse } from 'yaml';

const text = readFileSync(fileURLToPath(new URL('../../../../docs/workspace.md', import.meta.url)), 'utf8');
const documents = [...text.matchAll(/^```yaml\n(kind: [^]*?)^```$/gm)].map(([, yaml = '']): unknown => parse(yaml));
const ofKind = (kind: string): readonly unknown[] => documents.filter((document) => Object(document).kind === kind);

describe('the example files in docs/workspace.md', () => {
  it('contain tables without faults', () => {
    const [table, ...more] = ofKind('Table').map(parseTable);
    expect(table).toMatchObject({ ok: true });
    expect(table?.ok && checkTable(table.value)).toEqual([]);
    expect(more).toEqual([]);
  });

  it('show every member of a knowledge model', () => {
    expect(ofKind('KnowledgeModel').map(parseKnowledgeModel)).toMatchObject([{ ok: true }]);
  });

  it('show every kind of tool', () => {
    const [asset, ...more] = ofKind('AgentToolsAsset').map((file) => parseWith(AgentToolsAssetDefinition, file, ''));
    expect(asset).toMatchObject({ ok: true });
    expect(asset?.ok && asset.value.tools.map(({ kind }) => kind)).toEqual([
      'search-data',
      'load-data',
      'get-knowledge-model',
      'get-insights',
      'find-content',
      'http-request',
    ]);
    expect(more).toEqual([]);
  });

  it('show every member of an agent, with the default limits', () => {
    const [agent, ...more] = ofKind('Agent').map((file) => parseWith(AgentDefinition, file, ''));
    expect(agent).toMatchObject({ ok: true });
    if (!agent?.ok) return;
    expect(Object.keys(agent.value)).toEqual(Object.keys(AgentDefinition.shape));
    expect(Object.keys(agent.value.model).toSorted()).toEqual(Object.keys(EndpointModel.shape).toSorted());
    expect(agent.value.limits).toEqual(AgentLimits.parse({}));
    expect(more).toEqual([]);
  });
});
