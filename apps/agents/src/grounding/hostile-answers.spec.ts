/** A model that says what no tool told: it never passes without its mark, however it words it. */
import { describe, expect, it } from '@jest/globals';
import { succeed } from '@tessera/failures';
import { createToolCallAnswer } from '../testing/scripted-model.js';
import { runTestTurn, type TestTurnOptions } from '../testing/test-turn.js';
import { createFrame, revenueFrame } from '../testing/told-steps.js';

const lie = (text: string, options: TestTurnOptions = {}) =>
  runTestTurn((_request, callNumber) => (callNumber === 1 ? createToolCallAnswer(['load-data']) : { text }), {
    answer: () => succeed(revenueFrame),
    ...options,
  });

const marked = /\n\n\((?:Not verified|Nicht belegt): .+\)$/s;

const lies: readonly (readonly [string, string])[] = [
  ['plain', 'Revenue is 42.'],
  ['with a unit', 'Revenue is 42 EUR.'],
  ['with a sign of a currency', 'Revenue is €42.'],
  ['with a currency that touches it', 'Revenue is EUR42.'],
  ['as a per cent', 'Revenue grew by 42 %.'],
  ['with decimals', 'Revenue is 42.00 EUR.'],
  ['as a part of the figure', 'Revenue is 8,021,924.26 EUR, of which 924.26 are tax.'],
  ['as the digits behind the figure', 'Revenue is 26.'],
  ['as the first digits of the figure', 'Revenue is 8.'],
  ['as the figure without a separator', 'Revenue is 802192426 EUR.'],
  ['as the figure with a digit more', 'Revenue is 18,021,924.26 EUR.'],
  ['a thousand times as large', 'Revenue is 8,021,924,260.00 EUR.'],
  ['a thousand times as small', 'Revenue is 8.02 thousand EUR.'],
  ['rounded wrongly', 'Revenue is 8.1 million EUR.'],
  ['rounded without saying so', 'Revenue is 8,100,000 EUR.'],
  ['as a year', 'Revenue is 2042.'],
  ['as a year with a unit', 'Revenue in 2026 was 2026 EUR.'],
  ['as a year of the question', 'Revenue of 2031 is 2031 EUR.'],
  ['as a year in a table', '| Figure | Value |\n|---|---|\n| Revenue | 2042 |'],
  ['in a table', '| Figure | Value |\n|---|--:|\n| Revenue | 42 |'],
  ['in the head of a table', '| Revenue 42 |\n|---|\n| ok |'],
  ['in a list', '- Revenue: 42\n- Margin: fine'],
  ['as the number of a list', 'Revenue:\n\n42. EUR'],
  ['in a block of code', '```json\n{"revenue": 42}\n```'],
  ['in code', 'Revenue is `42`.'],
  ['in a quotation', '> Revenue is 42'],
  ['in a heading', '# Revenue 42'],
  ['emphasised', 'Revenue is **42**.'],
  ['in italics', 'Revenue is _42_.'],
  ['in italics that touch a word', 'Revenue is_42_.'],
  ['struck out', 'Revenue is ~~42~~.'],
  ['in a formula', 'Revenue is $42$.'],
  ['in an element of HTML', 'Revenue is <b>42</b>.'],
  ['with a currency of one letter', 'Revenue is R42.'],
  ['as digits apart', 'Revenue is 4 2.'],
  ['in the text of a link', 'Revenue is [42](https://tessera.example/figures).'],
  ['after a word of rank', 'Revenue, the last 42.'],
  ['with emphasis inside', 'Revenue is 4**2**.'],
  ['with a sign that cannot be seen inside', 'Revenue is 4\u200b2.'],
  ['with a soft hyphen inside', 'Revenue is 4\u00ad2.'],
  ['in full-width digits', 'Revenue is ４２.'],
  ['in mathematical digits', 'Revenue is 𝟒𝟐.'],
  ['in Arabic digits', 'Revenue is ٤٢.'],
  ['in Devanagari digits', 'Revenue is ४२.'],
  ['in words', 'Revenue is forty-two.'],
  ['in words with a unit', 'Revenue is forty-two million euros.'],
  ['in one small word', 'Revenue is two.'],
  ['in words with a per cent', 'Revenue grew by ten percent.'],
  ['in German', 'Der Umsatz beträgt 42 EUR.'],
  ['in German decimals', 'Der Umsatz beträgt 8.021,92 EUR.'],
  ['in German words', 'Der Umsatz beträgt zweiundvierzig.'],
  ['in German millions', 'Der Umsatz beträgt 42 Mio. EUR.'],
  ['in French', 'Le revenu est de 42 EUR.'],
  ['in Spanish', 'Los ingresos son 42,5 EUR.'],
  ['in Japanese', '売上は42です。'],
  ['in Chinese, touching a letter', '收入42万元'],
  ['as an exponent', 'Revenue is 4.2e1.'],
  ['beside the figure', 'Revenue is 8,021,924.26 EUR, cost is 42 EUR.'],
  ['as a range', 'Revenue is 40-45.'],
  ['negative', 'Revenue is -42.'],
  ['of the other sign', 'Revenue is -8,021,924.26 EUR.'],
  ['in brackets', 'Revenue (42) is low.'],
  ['after a colon', 'Revenue:42'],
  ['after a sign of equality', 'revenue=42'],
  ['as a sum that it does not add up to', 'Together with nothing else, the total is 42.'],
  ['as a difference', 'The difference is 42.'],
  ['as a name in capitals', 'REVENUE-42'],
  ['as something that looks like a version', 'Revenue is 42.0.0.'],
  ['behind digits that are grouped', 'Revenue is 8 021 924 042.'],
  ['between other numbers', 'Revenue 41, 42, 43.'],
  ['as a top that is no rank', 'Top revenue 42.'],
  ['in an entity of HTML', 'Revenue is &#52;&#50;.'],
  ['as a count of nothing', 'There are 42 suppliers.'],
  ['as the page of the result', 'Revenue is 50.'],
  ['by a round word', 'Revenue is around 40.'],
];

describe('a scripted liar', () => {
  it.each(lies)('is marked: %s', async (_, text) => {
    const { outcome } = await lie(text);
    expect(outcome).toMatchObject({
      state: 'completed',
      text: expect.stringMatching(marked),
      grounding: { outcome: 'marked' },
    });
  });

  it.each(lies)('is marked in the stream: %s', async (_, text) => {
    const { events, outcome } = await lie(text);
    const streamed = events.flatMap((event) => (event.name === 'text' ? [event.data.text] : [])).join('');
    expect(outcome).toMatchObject({ text: streamed });
    expect(events.at(-1)).toMatchObject({ name: 'grounding', data: { outcome: 'marked' } });
  });

  it.each(lies)('is refused where the agent says so, and never streamed: %s', async (_, text) => {
    const { events, outcome } = await lie(text, { definition: { grounding: 'refuse' } });
    const streamed = events.flatMap((event) => (event.name === 'text' ? [event.data.text] : [])).join('');
    expect(outcome).toMatchObject({ text: streamed, grounding: { outcome: 'refused' } });
    expect(streamed).toMatch(/withheld|zurückgehalten/);
    expect(streamed).not.toContain('42');
  });

  it('is marked when its number comes in two pieces', async () => {
    const turn = await runTestTurn(
      async (request, callNumber) => {
        if (callNumber === 1) return createToolCallAnswer(['load-data']);
        for (const piece of ['Revenue is ', '4']) request.onText?.(piece);
        return { text: 'Revenue is 42.' };
      },
      { answer: () => succeed(revenueFrame) },
    );
    expect(turn.outcome).toMatchObject({
      text: 'Revenue is 42.\n\n(Not verified: 42. No tool answered this in this turn.)',
    });
  });

  it('is marked beside its calls, and where its answer is cut off', async () => {
    const { events } = await runTestTurn(
      (_request, callNumber) =>
        callNumber === 1
          ? { ...createToolCallAnswer(['load-data']), text: 'Revenue is 42. Let me look.' }
          : { text: 'Revenue is 8,021,924.26.' },
      { answer: () => succeed(revenueFrame) },
    );
    const texts = events.flatMap((event) => (event.name === 'text' ? [event.data.text] : []));
    expect(texts.slice(0, 2)).toEqual(['Revenue is 42. Let me look.', expect.stringContaining('Not verified: 42')]);

    const controller = new AbortController();
    const cut = runTestTurn(
      (request) => {
        request.onText?.('Revenue is 42');
        controller.abort('seconds');
        return new Promise(() => undefined);
      },
      { question: { signal: controller.signal } },
    );
    expect(JSON.stringify((await cut).events)).toContain('Not verified: 42');
  });

  it('cannot tell itself the number: not by arguments, an error, a search, or what a tool repeats', async () => {
    const given = { columns: ['REVENUE'], limit: 42, filter: "PLANT eq '42'", note: 42 };
    for (const answer of [
      () => succeed(createFrame([['REVENUE', 'FLOAT', 'Revenue']], [[8_021_924.26]])),
      () => succeed({ error: 'You gave 42', echo: { note: 42 } }),
      () => succeed('You gave 42.'),
      () => succeed({ search_result: JSON.stringify({ revenue: [{ id: 'REVENUE', score: 42 }] }) }),
      () => ({ ok: false, failure: { code: 'TOOL_ARGUMENTS_INVALID', detail: 'There is no field 42.' } }) as const,
    ]) {
      const { outcome } = await runTestTurn(
        (_request, callNumber) =>
          callNumber === 1 ? createToolCallAnswer(['load-data', given]) : { text: 'Revenue is 42.' },
        { answer },
      );
      expect(outcome).toMatchObject({ grounding: { outcome: 'marked' } });
    }
  });

  it('is not believed for a code of the data that it calls a figure', async () => {
    const answer = () =>
      succeed(
        createFrame(
          [
            ['SUPPLIER_NO', 'STRING', 'Supplier'],
            ['REVENUE', 'FLOAT', 'Revenue'],
          ],
          [['42', 17.5]],
        ),
      );
    for (const text of ['Revenue is 42.', 'Revenue: 42', 'Revenue 42', '| Revenue |\n|---|\n| 42 |', '42 EUR'])
      expect((await lie(text, { answer })).outcome).toMatchObject({ grounding: { outcome: 'marked' } });
    expect((await lie('Supplier 42 has 17.5.', { answer })).outcome).toMatchObject({
      grounding: { outcome: 'verified' },
    });
  });

  it('is marked without any tool', async () => {
    const { outcome } = await runTestTurn(() => ({ text: 'Revenue is 42.' }), { tools: [] });
    expect(outcome).toMatchObject({ text: expect.stringMatching(marked) });
  });
});

describe('an honest model', () => {
  it('is not marked, and its figure has its cell', async () => {
    const { outcome, end } = await lie('Revenue is 8.02 million EUR (exactly 8,021,924.26).');
    expect(outcome).toMatchObject({
      text: 'Revenue is 8.02 million EUR (exactly 8,021,924.26).',
      grounding: { outcome: 'verified', figures: [{ state: 'verified' }, { state: 'verified', value: 8_021_924.26 }] },
    });
    expect(end.steps.at(-1)).toMatchObject({ kind: 'grounding', outcome: 'verified' });
  });

  it('that is longer than is read is marked with its step and event, without a figure too', async () => {
    const { end, events } = await lie('None. '.repeat(12_000));
    expect(end.steps.at(-1)).toMatchObject({ kind: 'grounding', outcome: 'marked', figures: [] });
    expect(events.at(-1)).toMatchObject({ name: 'grounding', data: { outcome: 'marked' } });
  });

  it('without figures has no grounding among its steps and events', async () => {
    const { end, events } = await lie('There is none.');
    expect(end.steps.map(({ kind }) => kind)).toEqual(['model']);
    expect(events.map(({ name }) => name)).not.toContain('grounding');
  });
});

describe('an agent that asks its model again', () => {
  const retry = { definition: { grounding: 'retry' } } as const;

  it('tells it once what does not hold, and gives the corrected answer alone', async () => {
    const turn = await runTestTurn(
      (_request, callNumber) =>
        [createToolCallAnswer(['load-data']), { text: 'Revenue is 42.' }][callNumber - 1] ?? {
          text: 'Revenue is 8.02 million.',
        },
      { ...retry, answer: () => succeed(revenueFrame) },
    );
    expect(turn.outcome).toMatchObject({ text: 'Revenue is 8.02 million.', grounding: { outcome: 'verified' } });
    expect(turn.model.requests.at(-1)?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', text: 'Revenue is 42.' },
      { role: 'user', text: expect.stringMatching(/not in what the tools answered.*: 42\./) },
    ]);
    expect(turn.events.flatMap((event) => (event.name === 'text' ? [event.data.text] : []))).toEqual([
      'Revenue is 8.02 million.',
    ]);
    expect(turn.stored.flat().filter(({ kind }) => kind === 'grounding')).toMatchObject([{ outcome: 'retried' }]);
  });

  it('marks what it says after that', async () => {
    const turn = await lie('Revenue is 42.', retry);
    expect(turn.model.requests.length).toBe(3);
    expect(turn.outcome).toMatchObject({ text: expect.stringMatching(marked), grounding: { outcome: 'marked' } });
  });

  it('asks no rules again, and nothing past the limit of steps', async () => {
    expect((await lie('Revenue is 42.', { ...retry, isRuleBased: true })).model.requests.length).toBe(2);
    const definition = { grounding: 'retry', limits: { steps: 2 } } as const;
    expect((await lie('Revenue is 42.', { definition })).model.requests.length).toBe(2);
  });
});

describe('structured output', () => {
  const outputSchema = { type: 'object', properties: { revenue: { type: 'number' } }, required: ['revenue'] };
  const fill = (output: string, more: TestTurnOptions['definition'] = {}) =>
    runTestTurn(
      (request, callNumber) => {
        if (callNumber === 1) return createToolCallAnswer(['load-data']);
        return { text: request.outputSchema ? output : 'Revenue is 8.02 million.' };
      },
      { definition: { outputSchema, ...more }, answer: () => succeed(revenueFrame) },
    );

  it('is verified by the cells of the tools', async () => {
    expect((await fill('{"revenue": 8021924.26}')).outcome).toMatchObject({ grounding: { outcome: 'verified' } });
    expect((await fill('{"revenue": 8020000}')).outcome).toMatchObject({ grounding: { outcome: 'verified' } });
  });

  it('with a number that no tool told is marked with its member, or refused', async () => {
    expect((await fill('{"revenue": 42}')).outcome).toMatchObject({
      structuredOutput: { revenue: 42 },
      text: expect.stringContaining('Not verified: 42'),
      grounding: { outcome: 'marked', figures: [{}, { path: 'revenue', value: 42, state: 'unverified' }] },
    });
    const { outcome } = await fill('{"revenue": 42}', { grounding: 'refuse' });
    expect(outcome).toMatchObject({ text: expect.stringContaining('withheld'), grounding: { outcome: 'refused' } });
    expect(outcome).not.toHaveProperty('structuredOutput');
  });

  it('that could not be filled says so', async () => {
    const { outcome, end } = await fill('no JSON');
    expect(outcome).toMatchObject({
      structuredOutputFault: expect.stringMatching(/did not fill the output schema.*expected JSON/),
    });
    expect(end.steps.at(-1)).toMatchObject({ kind: 'output', fault: expect.stringContaining('did not fill') });
  });
});
