import { beforeAll, describe, expect, it } from '@jest/globals';
import { agentsPrefix } from '@tessera/contracts/agents';
import { recordAnswers } from './compatibility/record-answers.js';
import { memberOf, memberNamesOf, parseJson, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';

let product: RunningProduct;
beforeAll(async () => void (product = await getSharedProduct()));

const send = async (key: string, path: string, message?: string): Promise<{ status: number; document: unknown }> => {
  const response = await fetch(`${product.gateways[0]}${agentsPrefix}/p2p-analyst/${path}`, {
    headers: { AppKey: product.environment[key] ?? '', 'Content-Type': 'application/json' },
    ...(message !== undefined && { method: 'POST', body: JSON.stringify({ message }) }),
  });
  return { status: response.status, document: parseJson(await response.text()) };
};

describe('the agents of the demo', () => {
  it.each([
    // 39 of 930 items, and 63 of 700.
    ['DEMO_KEY', 4.19],
    ['NORTHGATE_KEY', 9],
  ])('answer the bearer of %s with the figure of its company', async (key, percent) => {
    const { status, document } = await send(key, 'conversations', 'What is the maverick rate?');
    expect(status).toBe(200);
    const percents = [...textOf(document, 'text').matchAll(/(\d+(?:\.\d+)?) %/g)].map(([, figure]) => Number(figure));
    expect(percents).toContain(percent);
    const conversation = textOf(document, 'conversationId');
    expect(await send(key, `conversations/${conversation}`)).toMatchObject({ status: 200 });
    const other = key === 'DEMO_KEY' ? 'NORTHGATE_KEY' : 'DEMO_KEY';
    expect(await send(other, `conversations/${conversation}`)).toMatchObject({ status: 404 });
  });

  it('publish only read-only tools, and have a writing tool in the draft', async () => {
    const reading = ['search-data', 'load-data', 'get-knowledge-model', 'get-insights', 'find-content'];
    const toolsOf = async (query: string): Promise<readonly string[]> =>
      memberNamesOf(memberOf((await send('DEMO_KEY', `tools/spec${query}`)).document, 'paths'));
    expect(await toolsOf('')).toEqual(reading.map((id) => `/tools/${id}`));
    expect(await toolsOf('?draft=true')).toEqual([...reading, 'block-invoice'].map((id) => `/tools/${id}`));
  });

  it('reject a caller who may only read', async () => {
    expect(await send('READONLY_KEY', 'conversations', 'What is the maverick rate?')).toMatchObject({
      status: 403,
      document: { detail: expect.stringContaining('agents:converse') },
    });
  });
});

recordAnswers();
