import { describe, expect, it } from '@jest/globals';
import { createFrame, createToolStep, plantsFrame, revenueFrame } from '../testing/told-steps.js';
import { groundAnswer, readAskedNumbers } from './ground-answer.js';
import { ToldValues, type ToolStep } from './told-values.js';

const ground = (text: string, steps: readonly ToolStep[], questions: readonly string[] = []) =>
  groundAnswer(text, new ToldValues(steps), readAskedNumbers(questions)).figures;
const states = (text: string, steps: readonly ToolStep[], questions: readonly string[] = []) =>
  ground(text, steps, questions).map(({ text: written, state }) => [written, state]);

const revenue = [createToolStep(revenueFrame)];
const plants = [createToolStep(plantsFrame)];

describe('a figure that a tool told', () => {
  it.each([
    ['as it is', 'Revenue is 8021924.26 EUR.', '8021924.26'],
    ['with separators', 'Revenue is 8,021,924.26 EUR.', '8,021,924.26'],
    ['in German', 'Der Umsatz beträgt 8.021.924,26 EUR.', '8.021.924,26'],
    ['in French', 'Le revenu est de 8 021 924,26 EUR.', '8 021 924,26'],
    ['with narrow spaces', 'Revenue: 8\u202f021\u202f924,26', '8\u202f021\u202f924,26'],
    ['in Swiss writing', "Umsatz: 8'021'924.26", "8'021'924.26"],
    ['in Indian writing', 'Revenue is 80,21,924.26.', '80,21,924.26'],
    ['without decimals', 'Revenue is 8,021,924 EUR.', '8,021,924'],
    ['in millions', 'Revenue is 8.02 million EUR.', '8.02 million'],
    ['in millions, short', 'Revenue is $8.0M.', '8.0M'],
    ['in German millions', 'Der Umsatz liegt bei 8,02 Mio. EUR.', '8,02 Mio.'],
    ['in thousands', 'Revenue is 8,022k.', '8,022k'],
    ['in TEUR', 'Der Umsatz beträgt 8.022 TEUR.', '8.022 T'],
    ['in a unit that its label has', 'Revenue (EUR million): 8.02', '8.02'],
    ['as a round number that is said to be one', 'Revenue is about 8,000,000 EUR.', '8,000,000'],
    ['with emphasis', 'Revenue is **8,021,924.26** EUR.', '8,021,924.26'],
    ['in words', 'Revenue is eight million euros.', 'eight million'],
    ['in code', '```\nrevenue = 8021924.26\n```', '8021924.26'],
    ['in full-width digits', 'Revenue: ８０２１９２４', '８０２１９２４'],
  ])('is verified %s', (_, text, written) => {
    const figures = ground(text, revenue);
    expect(figures.map((figure) => [figure.text, figure.state])).toEqual([[written, 'verified']]);
    expect(figures[0]?.cells).toEqual([{ callId: 'c1', tool: 'load-data', row: 1, column: 'REVENUE' }]);
  });

  it('is told with its place in the text, and with the evidence of its call', () => {
    const text = 'So: revenue ⟨🙂⟩ is **8.02 million** EUR.';
    const [figure] = ground(text, [createToolStep(revenueFrame, { evidence: '/intelligence/api/evidence/1' })]);
    expect(text.slice(figure?.start, figure?.end)).toBe('8.02 million');
    expect(figure).toMatchObject({ value: 8_020_000, cells: [{ evidence: '/intelligence/api/evidence/1' }] });
  });

  it.each([
    ['a fraction as a per cent', 'The rate of plant 2010 is 9.48 %.', '9.48 %'],
    ['rounded', 'Plant 2010: 9.5 percent.', '9.5 percent'],
    ['in German', 'Die Quote im Werk 2010 beträgt 9,5 Prozent.', '9,5 Prozent'],
    ['as a fraction', 'The rate of plant 2010 is 0.095.', '0.095'],
  ])('is verified as a rate: %s', (_, text, written) => {
    expect(states(text, plants)).toEqual([[written, 'verified']]);
  });

  it('is verified in a table, by the head of its column', () => {
    const text =
      '| Plant | Rate (%) | Value (EUR million) |\n| --- | --: | --: |\n| 1010 | 1.32 | 4.1 |\n| 2010 | 9.48 | 1.2 |\n';
    const figures = ground(text, plants);
    expect(figures.map((figure) => [figure.text, figure.state, figure.cells[0]?.row])).toEqual([
      ['1.32', 'verified', 1],
      ['4.1', 'verified', 1],
      ['9.48', 'verified', 3],
      ['1.2', 'verified', 3],
    ]);
  });

  it('is verified as a count of rows, with a noun behind it', () => {
    const counted = [
      createToolStep(createFrame([['SUPPLIER.NAME', 'STRING', 'Supplier']], [['Acme'], ['Bolt']], 1_204)),
    ];
    expect(states('There are 1,204 suppliers; 2 suppliers are shown.', counted)).toEqual([
      ['1,204', 'verified'],
      ['2', 'verified'],
    ]);
    expect(states('Two suppliers are late.', counted, ['Which suppliers are late?'])).toEqual([['Two', 'verified']]);
    expect(states('Revenue is 1,204.', counted)).toEqual([['1,204', 'unverified']]);
    expect(states('Revenue is 2 EUR.', counted)).toEqual([['2', 'unverified']]);
  });

  it('is verified by the text of a document', () => {
    const found = [
      createToolStep(
        { elements: [{ description: 'Orders above 5,000 EUR need two approvals.' }] },
        { tool: 'find-content' },
      ),
    ];
    expect(states('Orders above EUR 5,000 are approved twice.', found)).toEqual([['5,000', 'verified']]);
  });

  it('is verified by a result that was cut', () => {
    const text = JSON.stringify(plantsFrame);
    expect(states('It is 4,100,000.50 EUR.', [createToolStep(text.slice(0, text.indexOf('1020')))])).toEqual([
      ['4,100,000.50', 'verified'],
    ]);
  });
});

describe('what the answer computes, with what it is computed of', () => {
  it.each([
    [
      'a sum',
      'Plant 1010 has 4,100,000.50 EUR and plant 1020 has 2,500,000.25 EUR, together 6,600,000.75 EUR.',
      '6,600,000.75',
    ],
    ['a sum of a column', 'Order value: 8,021,924.26 EUR in total.', '8,021,924.26'],
    [
      'a difference',
      'Plant 1010 has 4.1 million and plant 1020 has 2.5 million: a difference of 1.6 million EUR.',
      '1.6 million',
    ],
    [
      'percentage points',
      'Plant 3010 has 9.93 % and 2010 has 9.48 %: the difference is 0.45 percentage points.',
      '0.45 percentage points',
    ],
    ['a share', 'Plant 1020 has 2,500,000.25 EUR, which is 60.98 % of the 4,100,000.50 EUR of plant 1010.', '60.98 %'],
    [
      'a share in a table',
      '| Plant | Order value | All | % |\n|---|--:|--:|--:|\n| 2010 | 1,200,000.00 | 4,100,000.50 | 29.27 % |',
      '29.27 %',
    ],
    ['a quotient', 'Order value of plant 1010 per EUR of plant 2010: 3.42: 4,100,000.50 / 1,200,000.00.', '3.42'],
    ['the middle of two', 'The median is 3,300,000.38 EUR (between 4,100,000.50 and 2,500,000.25).', '3,300,000.38'],
    ['a midpoint', 'Bad is what is beyond 5.58 %, half way between the best and the worst.', '5.58 %'],
  ])('is derived: %s', (_, text, written) => {
    const figure = ground(text, plants).find((each) => each.text === written);
    expect(figure).toMatchObject({ state: 'derived' });
    expect(figure?.cells.length).toBeGreaterThan(0);
  });

  it.each([
    ['a wrong share', 'Plant 1010 has 4,100,000.50 EUR and plant 1020 2,500,000.25 EUR, which is 62 %.', '62 %'],
    [
      'a share of what stands elsewhere',
      'Plant 1010: 4,100,000.50.\nPlant 1020: 2,500,000.25.\nOf it 60.98 %.',
      '60.98 %',
    ],
    ['a quotient that is not said to be one', 'Plant 1010 has 4,100,000.50 and 2010 1,200,000.00, 3.42 late.', '3.42'],
    ['a wrong middle', 'The median is 3,300,001.38 EUR (between 4,100,000.50 and 2,500,000.25).', '3,300,001.38'],
  ])('is not derived: %s', (_, text, written) => {
    expect(ground(text, plants).find((each) => each.text === written)).toMatchObject({ state: 'unverified' });
  });

  it('is derived in the row of a total', () => {
    const text =
      '| Plant | Value |\n|---|---|\n| 1010 | 4,100,000.50 |\n| 1020 | 2,500,000.25 |\n| Total | 6,600,000.75 |';
    expect(ground(text, plants).map(({ state }) => state)).toEqual(['verified', 'verified', 'derived']);
  });

  it('is unverified where the answer does not say that it is one, and where it is wrong', () => {
    expect(
      states('Plant 1010 has 4.1 million, plant 1020 has 2.5 million. Revenue is 6.6 million.', plants).at(-1),
    ).toEqual(['6.6 million', 'unverified']);
    expect(
      states('Plant 1010 has 4.1 million, plant 1020 has 2.5 million, together 7.6 million.', plants).at(-1),
    ).toEqual(['7.6 million', 'unverified']);
  });
});

describe('what is no figure', () => {
  it.each([
    [
      'dates',
      'From 2026-03-01 to 2026-05, on 01.03.2026, 3/1/2026, 1 March 2026, March 1, 2026 and am 1. März at 08:30.',
    ],
    ['years', 'In 2026, since 2025, im Jahr 2024, 2024/25, FY2026, Q1 2026, H1 and KW 12.'],
    ['the numbering of lists', '1. One\n2. Another\n3) A last\n\n## 4. A heading'],
    ['ordinals', 'The 1st, the 2nd and the 3rd; der 2. Lieferant.'],
    ['references', 'See step 3 on page 12 of chapter 2; the top 5 of the last 3 months.'],
    ['addresses', 'It is at https://tessera.example/elements/42?version=7 and [there](/elements/17).'],
    ['names with digits', 'SAP S4, B2B and plant PL42.'],
    ['units with digits', 'In m², cm³ or km2.'],
    ['words that count nothing', 'There are two ways to read this, and one of them is right.'],
  ])('passes: %s', (_, text) => {
    expect(states(text, revenue)).toEqual([]);
  });

  it('passes: numbers of the question and codes of the data', () => {
    const questions = ['Which plants are above 5 %?', 'Only supplier 100001'];
    expect(
      states('Above 5 % are plant 2010 and plant 3010; supplier 100001 is not among them.', plants, questions),
    ).toEqual([]);
  });

  it('passes: which rows were looked at, by values that the data has, in a line of its own', () => {
    const text = (words: string) => `Die Quote beträgt 9,5 Prozent.\n\n${words}: Werk (Bestellposition): 2010.`;
    expect(states(text('Nur'), plants)).toEqual([['9,5 Prozent', 'verified']]);
    expect(states(text('Gesperrt'), plants)).toContainEqual(['2010', 'unverified']);
    expect(states('Nur: Werk (Bestellposition): 4711.', plants)).toEqual([['4711', 'unverified']]);
  });

  it('passes: which rows were looked at, by what was asked of the same noun', () => {
    const asked = ['How many orders, more than 42, were placed by plant 9010?'];
    const text = (name: string, value: string) => `Value: 9.5 percent.\n\nOnly: Open; ${name}: ${value}.`;
    expect(states(text('Plant (Order value)', '9010'), plants, asked)).toEqual([['9.5 percent', 'verified']]);
    expect(states(text('Order value', '9010'), plants, asked)).toContainEqual(['9010', 'unverified']);
    expect(states(text('Order value', '42'), plants, asked)).toContainEqual(['42', 'unverified']);
  });

  it('passes: how many rows its own table has', () => {
    const text = 'These are 4 plants:\n\n| Plant |\n|---|\n| 1010 |\n| 1020 |\n| 2010 |\n| 3010 |';
    expect(states(text, [])).toEqual([
      ['1010', 'unverified'],
      ['1020', 'unverified'],
      ['2010', 'unverified'],
      ['3010', 'unverified'],
    ]);
  });

  it('a year that the turn knows passes as the head of a row, another does not', () => {
    const byYear = [
      createToolStep(
        createFrame(
          [
            ['YEAR', 'STRING', 'Year'],
            ['REVENUE', 'FLOAT', 'Revenue'],
          ],
          [['2025', 17.5]],
        ),
      ),
    ];
    expect(states('- 2025: 17.5\n- 2031: 17.5', byYear)).toEqual([
      ['17.5', 'verified'],
      ['2031', 'unverified'],
      ['17.5', 'verified'],
    ]);
  });
});

describe('a large answer', () => {
  it('is read up to a number of figures, and the rest is not trusted', () => {
    const check = groundAnswer('7, '.repeat(20_000), new ToldValues([]), readAskedNumbers([]));
    expect([check.figures.length, check.isCut]).toEqual([2_000, true]);
  });

  it.each([
    ['links', '](a/'.repeat(60_000)],
    ['pipes', '| 1 '.repeat(60_000)],
    ['groups of digits', '111 '.repeat(60_000)],
    ['stars between digits', `1${'*'.repeat(200_000)}2`],
    ['rows', '|1|\n'.repeat(60_000)],
    ['number words', 'two hundred and '.repeat(16_000)],
    ['German number words', `${'dreizehn'.repeat(400)}x`],
    ['a German number word of many parts', 'dreizehn'.repeat(400)],
    ['cells of one row', `|${'1|'.repeat(32_000)}`],
  ])('of %s is read in bounded time', (_, text) => {
    expect(groundAnswer(text, new ToldValues(plants), readAskedNumbers([])).figures.length).toBeLessThanOrEqual(
      2_000 * 7,
    );
  });

  it('counts the parts of grouped digits among its figures', () => {
    const check = groundAnswer('8 000 000 '.repeat(6_000), new ToldValues([]), readAskedNumbers([]));
    expect(check.isCut).toBe(true);
    expect(check.figures.length).toBeLessThanOrEqual(2_010);
  });
});

it('of what was asked so much is read as of an answer, the newest first', () => {
  const { codes } = readAskedNumbers(['Order 17', 'x'.repeat(65_600), 'Order 42']);
  expect([...codes.keys()]).toEqual(['17']);
});
