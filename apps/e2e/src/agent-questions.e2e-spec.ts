/** Golden questions: the builtin planner's answers against written figures and against a query at the same moment. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentsPrefix } from '@tessera/contracts/agents';
import { modelsPrefix } from '@tessera/contracts/knowledge-models';
import { waitUntil } from '@tessera/testing';
import { type KpiQuery, goldenQuestions, unanswerableQuestions } from './agent-questions.js';
import { itemsOf, memberOf, parseJson, textOf } from './json.js';
import { startProduct, type Product } from './product.js';
import { createToolEndpoints } from './tool-endpoints.js';

let product: Product;
let answers: ReadonlyMap<string, string>;
beforeAll(async () => {
  product = await startProduct({ demo: 'demo' });
  await waitUntil(valuesAreRead);
  const asked = [...goldenQuestions.map((each) => each.asked), ...unanswerableQuestions.map((each) => [each.asked])];
  answers = new Map(
    await inGroups(asked, async (questions) => [questions.join('\n'), await converse(questions)] as const),
  );
});

afterAll(() => product.stop());

/** A search looks through values for two seconds; on a busy machine the first ones end before the largest table. */
const valuesAreRead = async (): Promise<boolean> => {
  const endpoints = createToolEndpoints(product.gateways[0] ?? '', product.environment['DEMO_KEY'] ?? '', 'p2p-tools');
  const { text } = await endpoints.http('search-data', { search_terms: ['2010'] });
  return text.includes('PO_ITEM.PLANT');
};

const groupSize = 8;

/** A few conversations at the same time, as people have them. */
const inGroups = async <Given, Made>(all: readonly Given[], make: (each: Given) => Promise<Made>): Promise<Made[]> => {
  const made: Made[] = [];
  for (let first = 0; first < all.length; first += groupSize)
    made.push(...(await Promise.all(all.slice(first, first + groupSize).map(make))));
  return made;
};

const headers = () => ({ AppKey: product.environment['DEMO_KEY'] ?? '', 'Content-Type': 'application/json' });

const converse = async (questions: readonly string[]): Promise<string> => {
  let conversationId: string | undefined;
  let text = '';
  for (const message of questions) {
    const response = await fetch(`${product.gateways[0]}${agentsPrefix}/p2p-analyst/conversations`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ message, ...(conversationId !== undefined && { conversationId }) }),
    });
    const document = parseJson(await response.text());
    conversationId = textOf(document, 'conversationId');
    text = response.status === 200 ? textOf(document, 'text') : JSON.stringify(document);
  }
  return text;
};

const isGerman = (text: string): boolean =>
  /,\d{1,2} (?:%|EUR|days|Tage)|\bNur: |\*\*\d{1,3}(?:\.\d{3})+\*\*|\bnach\b/.test(text);

/** Every number in a text, rates as parts of one. */
const numbersIn = (text: string): readonly number[] =>
  [...text.matchAll(/(-?\d[\d.,]*)( %)?/g)].map(([, digits = '', percent]) => {
    const plain = isGerman(text) ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
    return Number(plain.replace(/\.$/, '')) / (percent === undefined ? 1 : 100);
  });

const figuresOf = async (query: KpiQuery): Promise<readonly number[]> => {
  const { filterExpr = [], ...others } = query;
  const parameters = new URLSearchParams([
    ...Object.entries(others),
    ...filterExpr.map((each): [string, string] => ['filterExpr', each]),
  ]);
  const response = await fetch(`${product.gateways[0]}${modelsPrefix}/p2p.base-km/query?${parameters.toString()}`, {
    headers: headers(),
  });
  const rows = itemsOf(parseJson(await response.text()), 'content');
  return query.kpis.split(',').flatMap((kpi) => rows.map((row) => Number(memberOf(row, kpi))));
};

const answerTo = (asked: readonly string[]): string => answers.get(asked.join('\n')) ?? '';

describe('the planner answers', () => {
  it.each(goldenQuestions.map((each) => [each.asked.join(' / '), each] as const))(
    '%s',
    async (_, { asked, holds, query }) => {
      const answer = answerTo(asked);
      expect({ answer, lacks: holds.filter((text) => !answer.includes(text)) }).toEqual({ answer, lacks: [] });
      if (!query) return;
      const figures = await figuresOf(query);
      expect(figures.length).toBeGreaterThan(0);
      const numbers = numbersIn(answer);
      // Answers have two digits behind the point, of a rate two of its percents.
      const isMentioned = (figure: number): boolean =>
        numbers.some((number) => Math.abs(number - figure) <= (Math.abs(figure) <= 1 ? 0.000_05 : 0.005) * 1.000_1);
      expect({ answer, missing: figures.filter((figure) => !isMentioned(figure)) }).toEqual({ answer, missing: [] });
    },
  );
});

describe('the planner states what it cannot answer', () => {
  it.each(unanswerableQuestions)('$asked', ({ asked, says }) => {
    const answer = answerTo([asked]);
    expect(answer).toContain(says.replace(/[„“]/g, '"'));
    // No number except those in the question.
    expect(numbersIn(answer.replaceAll(asked, ''))).toEqual([]);
  });
});

describe('every answer of the planner', () => {
  it('has only figures that a tool told', () => {
    const marked = [...answers].filter(([, text]) => /Not verified|Nicht belegt/.test(text));
    expect(marked).toEqual([]);
  });
});

describe('the golden questions', () => {
  it('are at least forty, all different', () => {
    expect(goldenQuestions.length).toBeGreaterThanOrEqual(40);
    expect(new Set(goldenQuestions.map(({ asked }) => asked.join('\n'))).size).toBe(goldenQuestions.length);
  });
});
