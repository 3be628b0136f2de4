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

describe('an answer of the planner', () => {
  it.each(conversations.map((asked) => [asked.join(' / '), asked] as const))(
    '%s: has no unverified figure',
    async (_, asked) => {
      const steps: ReturnType<typeof createToolStep>[] = [];
      const { text } = await runConversation(asked, {
        answer: (tool, args) => {
          const result = findRecordedAnswer(tool, args);
          steps.push(createToolStep(result, { tool, arguments: args }));
          return result;
        },
      });
      const check = groundAnswer(text, new ToldValues(steps), readAskedNumbers(asked));
      const unverified = unverifiedIn(check).map((figure) => [
        figure.text,
        text.slice(Math.max(0, (figure.start ?? 0) - 40), figure.end),
      ]);
      expect([unverified, isUnverified(check)]).toEqual([[], false]);
    },
  );
});
