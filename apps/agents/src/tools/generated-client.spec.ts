/** What a generator of clients makes of the specification of tools: it compiles, and knows arguments and results. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { AgentDefinition } from '@tessera/contracts/agents';
import { LoadDataArguments, LoadDataResult } from '@tessera/contracts/knowledge-models';
import { callGeneratedClient } from '@tessera/testing';
import { findCompileErrors } from '@tessera/testing/compile';
import { z } from 'zod';
import { createTestTool } from '../testing/test-turn.js';
import { createToolsDocument } from './tools-document.js';

const folder = mkdtempSync(join(tmpdir(), 'generated-tools-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tools = [
  createTestTool('load-data', {
    inputSchema: z.toJSONSchema(LoadDataArguments, { io: 'input' }),
    outputSchema: z.toJSONSchema(LoadDataResult),
  }),
  createTestTool('block_invoice', {
    isReadOnly: false,
    inputSchema: {
      type: 'object',
      required: ['invoiceNo', 'reason'],
      additionalProperties: false,
      properties: {
        invoiceNo: { type: 'string' },
        reason: { $ref: '#/$defs/reason' },
        until: { type: ['string', 'null'], format: 'date' },
      },
      $defs: { reason: { enum: ['price', 'quantity'] } },
    },
  }),
];
const definition = AgentDefinition.parse({ kind: 'Agent', id: 'analyst' });

/** A program that uses the client rightly, and wrongly where it says so. */
const program = `
import { blockInvoice, loadData } from './client/sdk.gen';

export const work = async (): Promise<number> => {
  const { data, error } = await loadData({ body: { columns: ['ORDER_VALUE'], page: 0 } });
  // @ts-expect-error columns are needed
  await loadData({ body: { page: 0 } });
  const blocked = await blockInvoice({ body: { invoiceNo: '1', reason: 'price', until: null } });
  const text: unknown = blocked.data?.text;
  // @ts-expect-error there is no such reason
  await blockInvoice({ body: { invoiceNo: '1', reason: 'weather' } });
  // @ts-expect-error there is no such argument
  await blockInvoice({ body: { invoiceNo: '1', reason: 'price', force: true } });
  const detail: string | undefined = error?.detail;
  return (data?.total ?? 0) + (data?.data_frame_content.data.length ?? 0) + String(text).length + (detail ?? '').length;
};
`;

describe.each(['3.0', '3.1'] as const)('a client that is generated from OpenAPI %s', (version) => {
  it('compiles with typed arguments and results', async () => {
    const place = join(folder, version);
    const document = createToolsDocument({ agentId: 'analyst', version: 1, definition }, tools, {
      version,
      publicUrl: 'https://tessera.example',
    });
    const specification = `${place}.json`;
    writeFileSync(specification, JSON.stringify(document));
    const credential = { header: 'AppKey', value: 'a-key' } as const;
    await callGeneratedClient({ specification, folder: join(place, 'client'), credential, calls: [] });
    const file = join(place, 'program.ts');
    writeFileSync(file, program);
    expect(findCompileErrors(file)).toEqual([]);
  });
});
