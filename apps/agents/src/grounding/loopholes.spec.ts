/** Wordings by which a figure that no tool told could pass, each beside an honest one that is alike and must pass. */
import { describe, expect, it } from '@jest/globals';
import { createFrame, createToolStep, plantsFrame } from '../testing/told-steps.js';
import { groundAnswer, readAskedNumbers } from './ground-answer.js';
import { ToldValues, type ToolStep } from './told-values.js';

const unverified = (text: string, steps: readonly ToolStep[] = [], questions: readonly string[] = []) =>
  groundAnswer(text, new ToldValues(steps), readAskedNumbers(questions)).figures.flatMap((figure) =>
    figure.state === 'unverified' ? [figure.text] : [],
  );

const orders = [
  createToolStep(
    createFrame(
      [
        ['ORDER_DATE', 'DATE', 'Order date'],
        ['PLANT', 'STRING', 'Plant'],
        ['PLANT_NAME', 'STRING', 'Plant name'],
        ['SUPPLIER', 'STRING', 'Supplier'],
        ['SUPPLIER_NAME', 'STRING', 'Supplier name'],
        ['PHONE', 'STRING', 'Phone'],
        ['VALUE', 'FLOAT', 'Order value'],
      ],
      [
        ['2024-05-17', '1010', 'Plant 1020', '100001', 'Nordwind', '+1 305 555 0100', 17_500.5],
        ['2024-06-28', '2010', 'Depot 33', '100002', 'Acme', '+1 306 555 0101', 99_000],
      ],
    ),
  ),
];

describe('digits of dates, telephones and names', () => {
  it.each([
    'We have 17 blocked suppliers.',
    'Late orders: 28',
    '| Supplier | Late |\n|---|---|\n| Nordwind | 17 |',
    'Blocked: 305',
    'We have 1010 blocked suppliers.',
    'There were 33 of them.',
    'Depots: 33',
  ])('are no figures: %s', (text) => {
    const expected = text === 'Depots: 33' ? [] : [/\d+(?=\D*$)/.exec(text)?.[0]];
    expect(unverified(text, orders)).toEqual(expected);
  });

  it.each([
    'Plant 1010 has 17,500.50 and plant 2010 shows more.',
    'Plants 1010, 2010 and 1020 are late.',
    'Supplier: 100001',
    'Lieferanten: 100001, 100002',
    '| Supplier | 2024 |\n|---|---|\n| Acme | 99,000 |',
    '- **1010**: fine\n- **2010**: late',
    '| Supplier | Plant |\n|---|---|\n| Nordwind | 1010 |',
    'Nordwind (100001) is late, Acme (100002) is not.',
    'Nordwind delivers from plant 1020 and from depot 33.',
    'Its last order of 2024-05-17 was late; for 2024 it is the only one.',
  ])('name something: %s', (text) => {
    expect(unverified(text, orders)).toEqual([]);
  });
});

describe('an ordinal', () => {
  it('is no number at the end of a sentence', () => {
    expect(unverified('Die Zahl der verspäteten Aufträge stieg auf 42. Das ist viel.')).toEqual(['42']);
    expect(unverified('Es bleibt bei den 42. Das ist viel.')).toEqual(['42']);
    expect(unverified('Am 3. März, im 2. Quartal, der 2. Lieferant auf dem 1. Platz, zum 3. Tag.')).toEqual([]);
  });

  it('has its own suffix', () => {
    expect(unverified('Revenue is 42e today, and 42th too, and 43er.')).toEqual(['42', '42', '43']);
    expect(unverified('The 42nd, the 11th, the 21st order; le 3e trimestre.')).toEqual([]);
  });
});

describe('letters that touch a number', () => {
  it.each(['Ø42 days', 'Δ42', 'Σ9,999,999', 'eur42', '№42', 'x42', 'ca42 EUR', 'Revenue42', 'REVENUE_42', 'X42k'])(
    'do not hide it: %s',
    (text) => {
      expect(unverified(`It is ${text}.`).length).toBe(1);
    },
  );

  it('are a name that the caller or a tool has', () => {
    const named = [createToolStep(createFrame([['DEPOT', 'STRING', 'Depot']], [['depot33']]))];
    expect(unverified('See depot33 and sha256, B2B, p2p, S4 and PL42.', named, ['What is sha256?'])).toEqual([]);
  });
});

const counts = [
  createToolStep(
    createFrame(
      [
        ['PLANT', 'STRING', 'Plant'],
        ['LATE', 'INTEGER', 'Late'],
      ],
      [3, 7, 12, 18, 26, 35, 45, 56, 69, 83, 98, 115].map((count, place) => [`P${place}`, count]),
    ),
  ),
];
const table = `| Plant | Late |\n|---|---|\n${[3, 7, 12, 18, 26, 35, 45, 56, 69, 83, 98, 115].map((count, place) => `| P${place} | ${count} |`).join('\n')}\n\n`;

describe('a difference', () => {
  it('is none of any two figures of the answer, nor a per cent of counts', () => {
    expect(unverified(`${table}Revenue rose by 14 % and it is up more.`, counts)).toEqual(['14 %']);
    expect(unverified(`${table}Late orders rose by 14.`, counts)).toEqual(['14']);
    expect(unverified('Late: 3 days and 12 EUR, 9 EUR more.', counts)).toEqual(['9']);
  });

  it('is one of its sentence, of its row, or of the two before it', () => {
    expect(unverified('P0 has 3 late and P2 has 12 late, a difference of 9.', counts)).toEqual([]);
    expect(unverified('P0 has 3 late. P2 has 12 late. The difference is 9.', counts)).toEqual([]);
    expect(unverified('| A | B | Difference |\n|---|---|---|\n| 3 | 12 | 9 |', counts)).toEqual([]);
    expect(
      unverified(`${table}P2 has 9 more than P0.`.replaceAll('P2', 'Acme').replaceAll('P0', 'Bolt'), counts),
    ).toEqual([]);
    expect(unverified('- P0: 3\n- P2: 12\n- P3: 18\n\nTotal: 33', counts)).toEqual([]);
  });
});

describe('a result that was cut', () => {
  it('does not tell its page, nor what the model gave', () => {
    const text = JSON.stringify({ page: 0, page_size: 42, total: 1_204, ...frameOf([[17.5], [18.5], [19.5]]) });
    const step = createToolStep(text.slice(0, text.indexOf('19.5')), { arguments: { page_size: 42 } });
    expect(unverified('Revenue is 42.', [step])).toEqual(['42']);
    expect(unverified('There are 1,204 rows; revenue is 17.5.', [step])).toEqual([]);
    const echo = createToolStep('{"note":42,"value":17.5,"text":"cut', { tool: 'other', arguments: { note: 42 } });
    expect(unverified('Revenue is 42 or 17.5.', [echo])).toEqual(['42']);
    const search = createToolStep('{"search_result":"{\\"revenue\\":[{\\"score\\":42,\\"id\\":\\"REV', {
      tool: 'search',
    });
    expect(unverified('Revenue is 42.', [search])).toEqual(['42']);
  });
});

const frameOf = (rows: readonly (readonly unknown[])[]) => ({
  data_frame_content: {
    data: rows.map(([value]) => ({ REVENUE: value })),
    schema: [{ id: 'REVENUE', type: 'FLOAT', displayName: 'Revenue' }],
  },
});

describe('the sign of a figure', () => {
  const loss = [createToolStep(createFrame([['PROFIT', 'FLOAT', 'Profit']], [[-500]]))];

  it('is not dropped', () => {
    expect(unverified('Profit is 500.', loss)).toEqual(['500']);
  });

  it.each(['Profit is -500.', 'Profit is –500.', 'Profit is -500 EUR.', 'Profit is (500).', 'There is a loss of 500.'])(
    'is stated or said: %s',
    (text) => {
      expect(unverified(text, loss)).toEqual([]);
    },
  );
  it.each(['Der Gewinn sank um 500.', '| Loss |\n|---|\n| 500 |', 'Profit is -€500.', 'Profit is EUR -500.'])(
    'is stated or said: %s',
    (text) => {
      expect(unverified(text, loss)).toEqual([]);
    },
  );
});

describe('number words', () => {
  const asked = ['How many blocked orders are there, and which order is late?'];

  it.each([
    ['There are zero blocked orders.', 'zero'],
    ['Only one order is late.', 'one'],
    ['There are a dozen blocked orders.', 'dozen'],
    ['Half of the orders are late.', 'Half'],
    ['We lost millions of euros.', 'millions'],
  ])('are figures: %s', (text, written) => {
    expect(unverified(text, [], asked)).toEqual([written]);
  });

  it.each([
    'One order is late.',
    'In the first half of 2026, half way.',
    'All values in millions of EUR.',
    'zero tolerance',
  ])('are none: %s', (text) => {
    expect(unverified(text, [], ['What is late in 2026?'])).toEqual([]);
  });

  it('are verified by a count', () => {
    const none = [createToolStep(createFrame([['ORDER', 'STRING', 'Order']], []))];
    expect(unverified('There are zero blocked orders.', none, asked)).toEqual([]);
  });
});

describe('digits that are rendered together', () => {
  it.each([
    '&#x34;&#x32;',
    '&#52;2',
    '4<!-- -->2',
    '4</b><b>2',
    '4\uFE0F2',
    '4\uFE0F\u20E32\uFE0F\u20E3',
    '4\u034F2',
    '4\u061C2',
    '4&shy;2',
  ])('are one number: %j', (written) => {
    const text = `Revenue is ${written}.`;
    const { figures } = groundAnswer(text, new ToldValues([]), readAskedNumbers([]));
    expect(figures.map(({ value, start, end }) => [value, text.slice(start, end)])).toEqual([[42, written]]);
  });

  it('are told apart where a line ends between them', () => {
    expect(unverified('|4<br>2|')).toEqual(['4', '2']);
    expect(unverified('Value: 4,100,000.50&nbsp;EUR', [createToolStep(plantsFrame)])).toEqual([]);
  });
});

describe('years, times and links', () => {
  it.each([
    ['This resulted in 2000 late orders.', '2000'],
    ['In the plant there are, in 2000 late orders, faults.', '2000'],
    ['Revenue is EUR 1900-2050.', '1900'],
    ['The ratio is 1:42.', '42'],
    ['The first 42 orders are late, the last 99', '99'],
    ['The top 42 orders are late.', '42'],
    ['Revenue is ](42).', '42'],
  ])('do not hide a number: %s', (text, written) => {
    expect(unverified(text)).toContain(written);
  });

  it.each([
    'In 2024 revenue rose; in 2026 orders fell, from 1999-2004 too.',
    'It ran at 8:30, from 08:30 to 17:45:10, um 9:15 Uhr and at 3:05 pm.',
    'The last 12 months, the next 30 days, the first 10 rows and the top 10 suppliers.',
    'See [the page](/elements/17) and ![image](/a/42.png).',
  ])('are no figures: %s', (text) => {
    expect(unverified(text)).toEqual([]);
  });
});

describe('a per cent and a scale', () => {
  const whole = [
    createToolStep(
      createFrame(
        [
          ['ORDERS', 'INTEGER', 'Orders'],
          ['LATE_SHARE', 'INTEGER', 'Late'],
          ['REVENUE', 'FLOAT', 'Revenue'],
        ],
        [[42, 17, 1_200]],
      ),
    ),
  ];

  it('is not verified by a count', () => {
    expect(unverified('42 % of orders are late.', whole)).toEqual(['42 %']);
    expect(unverified('17 % of the 42 orders are late.', whole)).toEqual([]);
  });

  it('with a value of 0 is not verified by what is smaller than its scale', () => {
    expect(unverified('Revenue is EUR 0 million.', whole)).toEqual(['0 million']);
    expect(unverified('Revenue is EUR 0.0012 million.', whole)).toEqual([]);
  });
});

describe('a number of the question', () => {
  it.each([
    ['Show 5 suppliers', 'Revenue grew by 5 %.', '5 %'],
    ['Order 4711?', 'Revenue is 4711.', '4711'],
    ['Order 4711?', 'Revenue of it: it is 4711 EUR.', '4711'],
    ['Which plants are above 5 %?', 'The rate is 5 %.', '5 %'],
  ])('is no answer: %s %s', (question, text, written) => {
    expect(unverified(text, [], [question])).toEqual([written]);
  });

  it.each([
    ['Show 5 suppliers', 'These are the 5 suppliers.'],
    ['Order 4711?', 'Order 4711 is late; the order is 4711.'],
    ['Which plants are above 5?', 'None is above 5 %.'],
    ['Which plants are above 5 %?', 'None is above 5 % or 5.'],
    ['Orders over 5000 EUR', 'Orders over EUR 5,000 are none.'],
    ['Is the target of 95 % met?', 'The target is 95 %.'],
  ])('is the own of the caller: %s %s', (question, text) => {
    expect(unverified(text, [], [question])).toEqual([]);
  });
});
