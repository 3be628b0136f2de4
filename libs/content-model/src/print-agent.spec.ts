import { describe, expect, it } from '@jest/globals';
import { AgentDefinition } from '@tessera/contracts/agents';
import { parse } from 'yaml';
import { printAgent } from './print-workspace.js';

const read = (text: string): AgentDefinition => AgentDefinition.parse(parse(text));

/** In the canonical layout. */
const analyst = `kind: Agent
id: p2p-analyst
name: Purchase to pay analyst
instructions: |
  Answer with figures.
  Name the filters that you used.
model:
  provider: openai-compatible
  baseUrl: https://models.example/v1
  model: small
  apiKey: "{secret:LLM_KEY}"
  headers: {X-Region: eu}
tools:
  - asset: p2p-tools
    tools: [search-data, load-data]
  - {asset: other-tools}
outputSchema:
  type: object
  properties:
    value: {type: number}
limits: {steps: 5}
keptDays: 30
`;

describe('printAgent', () => {
  it("prints the given members without the schema's defaults", () => {
    expect(printAgent(read(analyst))).toBe(analyst);
  });

  it('prints members in the order of the schema, and never all of them on one line', () => {
    expect(printAgent(read('{tools: [], id: a, limits: {seconds: 120}, kind: Agent, instructions: ""}'))).toBe(
      'kind: Agent\nid: a\nlimits: {}\n',
    );
  });

  it.each([
    'kind: Agent\nid: a\nmodel: {provider: anthropic, model: m, contextTokens: 32000, temperature: 0}',
    'kind: Agent\nid: a\nlimits: {}',
    'kind: Agent\nid: a\noutputSchema: null',
    'kind: Agent\nid: a\noutputSchema: {type: object, 1: {2: x}}',
    'kind: Agent\nid: a\ninstructions: " two\\n spaces: {x}\\n"',
  ])('prints %j so that parsing returns it', (text) => {
    expect(read(printAgent(read(text)))).toEqual(read(text));
  });
});
