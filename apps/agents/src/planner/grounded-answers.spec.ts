/** What the planner says of recorded results passes the check of figures unmarked. */
import { describe, expect, it } from '@jest/globals';
import { groundAnswer, readAskedNumbers } from '../grounding/ground-answer.js';
import { isUnverified, unverifiedIn } from '../grounding/grounding-notes.js';
import { ToldValues } from '../grounding/told-values.js';
import { createToolStep } from '../testing/told-steps.js';
import { findRecordedAnswer, runConversation } from './testing/recorded-tools.js';

const conversations: readonly (readonly string[])[] = [
  ['What is the maverick rate by plant?'],
  ['Top 5 suppliers by lost discount since 2026-03'],
  ['Which plant is late with goods receipts, and since when?'],
  ['Wie hoch ist der offene Bestellwert?'],
  ['Welches Werk hat die höchste Maverick-Quote?'],
  ['plants with maverick rate above 5 %'],
  ['Is the maverick rate above 5 %?'],
  ['Does the maverick rate meet its target?'],
  ['What drives the maverick rate?'],
  ['lost discount last quarter'],
  ['Order value in May 2026 vs May 2025'],
  ['How many payments were made in 2025?'],
  ['What is the rating of supplier 100001?'],
  ['How do I create a purchase order?'],
  ['Maverick rate in Valencia vs Rotterdam'],
  ['Hello'],
  ['Order value by year'],
  ['Order value with suppliers from Spain'],
  ['How many blocked invoices are there?'],
  ['What is the revenue by customer?'],
];

type Step = ReturnType<typeof createToolStep>;

/** What is unverified in the answer, and the text before it. */
const findUnverified = async (
  asked: readonly string[],
  answer: (tool: string, args: Record<string, unknown>) => unknown,
): Promise<{ readonly text: string; readonly unverified: readonly (readonly string[])[] }> => {
  const steps: Step[] = [];
  const { text } = await runConversation(asked, {
    answer: (tool, args) => {
      const result = answer(tool, args);
      steps.push(createToolStep(result, { tool, arguments: args }));
      return result;
    },
  });
  const check = groundAnswer(text, new ToldValues(steps), readAskedNumbers(asked));
  const unverified = unverifiedIn(check).map((figure) => [
    figure.text,
    text.slice(Math.max(0, (figure.start ?? 0) - 40), figure.end),
  ]);
  expect(isUnverified(check)).toBe(unverified.length > 0);
  return { text, unverified };
};

/** Of every query other numbers, so that none is told by chance. */
const createNumbers = () => {
  let last = 1_511;
  return (tool: string, args: Record<string, unknown>): unknown => {
    if (tool !== 'load-data') return findRecordedAnswer(tool, args);
    const columns = Array.isArray(args['columns']) ? args['columns'].map(String) : [];
    last = last * 3 + 17;
    const row = Object.fromEntries(columns.map((id, place) => [id, last + place * 977]));
    const schema = columns.map((id) => ({ id, type: 'FLOAT', displayName: id }));
    return { total: 4, data_frame_content: { data: [row], schema } };
  };
};

describe('an answer of the planner', () => {
  it.each(conversations.map((asked) => [asked.join(' / '), asked] as const))(
    '%s: has no unverified figure',
    async (_, asked) => {
      expect((await findUnverified(asked, findRecordedAnswer)).unverified).toEqual([]);
    },
  );

  it.each([
    ['What share of invoices is blocked?', /The share is \*\*[\d.]+ %\*\*: [\d,]+ of [\d,]+\./],
    ['What share of the order value comes from suppliers in Spain?', /The share is/],
    ['What is the average order value?', /per purchase order: \*\*[\d.]+ EUR\*\*.*: [\d,.]+ EUR \/ [\d,]+\./],
    ['Average order value by plant', /\| Order value \|/],
    ['What is the median net amount of invoices?', /\(between [\d,.]+ EUR and [\d,.]+ EUR\)/],
  ])('%s: tells what its figure is computed of', async (asked, shown) => {
    const { text, unverified } = await findUnverified([asked], createNumbers());
    expect(text).toMatch(shown);
    expect(unverified).toEqual([]);
  });
});
