/**
 * The agents of the demo: an analyst of purchase to pay for each company, under one id. That of meridian only reads;
 * its draft may block invoices as well, so that an effect is something that somebody has to publish first.
 */
import type { AgentDefinition } from '@tessera/contracts/agents';
import { p2pToolAssets } from './p2p-tools.js';

const readingTools = ['search-data', 'load-data', 'get-knowledge-model', 'get-insights', 'find-content'];

const instructionsFor = (company: string): string =>
  `You answer questions about purchase to pay at ${company}, from the order to its last payment.
Find ids with search-data; ask load-data for figures and get-insights for what drives them. How work should be done, and who is responsible, is said by find-content.
Give each figure with its unit, and name the KPI and the filters behind it. Amounts are in EUR; today is 2026-06-30.
When the data do not answer a question, say so, and what you can answer instead. Answer in the language of the question.
`;

/** What people call the plants; the data has their numbers alone. */
const plantNames = `In questions these words mean:
Hamburg = plant 1010
Ludwigshafen = plant 1020
Valencia = plant 2010
Rotterdam = plant 3010
`;

const effectRules = `Block an invoice only when the user asks for it and says why; name the invoice and the reason in your answer.
`;

const analystAgent = (company: string, tools: readonly string[], more = ''): AgentDefinition => ({
  ...{ kind: 'Agent', id: 'p2p-analyst', name: 'Purchase to pay analyst' },
  description: `Answers questions about purchase to pay at ${company} with figures, and finds how its work is done.`,
  instructions: `${instructionsFor(company)}${more}`,
  model: { provider: 'builtin' },
  tools: [{ asset: p2pToolAssets.published.id, tools: [...tools] }],
});

/** As it is published, and as its draft has it. */
export const p2pAnalystAgents = {
  published: analystAgent('Meridian Coatings', readingTools, plantNames),
  draft: analystAgent('Meridian Coatings', [...readingTools, 'block-invoice'], `${plantNames}${effectRules}`),
};

export const northgateAnalystAgent: AgentDefinition = analystAgent('Northgate', readingTools);
