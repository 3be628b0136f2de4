import { describe, expect, it } from '@jest/globals';
import { plainTextOf, readBlocks, type Block } from './answer-blocks.js';

const text = (value: string) => ({ kind: 'text', text: value });
const strong = (value: string) => ({ kind: 'strong', text: value });

const answer = [
  'Maverick buying by Plant:',
  '',
  '| Plant | Maverick buying |',
  '| --- | ---: |',
  '| 3010 | 9.93 % |',
  '| **2010** | 9.48 % |',
  '',
  'Only: from 2026-03-01.',
].join('\n');

it('reads an answer of the planner as paragraphs and a table, figures at the end', () => {
  expect(readBlocks(answer)).toEqual([
    { kind: 'paragraph', lines: [[text('Maverick buying by Plant:')]] },
    {
      kind: 'table',
      heads: [[text('Plant')], [text('Maverick buying')]],
      rows: [
        [[text('3010')], [text('9.93 %')]],
        [[strong('2010')], [text('9.48 %')]],
      ],
      isEnd: [false, true],
    },
    { kind: 'paragraph', lines: [[text('Only: from 2026-03-01.')]] },
  ]);
});

it('reads lists, headings, code and what is strong inside of lines', () => {
  expect(readBlocks('# Result\nIt is **4.2 %** by `RATE`.\n- one\n- two\n1. first\n```\na | b\n```\nend')).toEqual([
    { kind: 'heading', lines: [[text('Result')]] },
    {
      kind: 'paragraph',
      lines: [[text('It is '), strong('4.2 %'), text(' by '), { kind: 'code', text: 'RATE' }, text('.')]],
    },
    { kind: 'list', isOrdered: false, items: [[text('one')], [text('two')]] },
    { kind: 'list', isOrdered: true, items: [[text('first')]] },
    { kind: 'code', line: [text('a | b')] },
    { kind: 'paragraph', lines: [[text('end')]] },
  ]);
});

it('keeps the lines of a paragraph', () => {
  expect(readBlocks('one\r\ntwo\n\nthree')).toEqual([
    { kind: 'paragraph', lines: [[text('one')], [text('two')]] },
    { kind: 'paragraph', lines: [[text('three')]] },
  ]);
});

describe('a table', () => {
  const tableIn = (lines: readonly string[]): Block | undefined =>
    readBlocks(lines.join('\n')).find(({ kind }) => kind === 'table');

  it('keeps a bar of a value inside its cell, and has as many cells in each row as it has heads', () => {
    expect(tableIn(['| A | B |', '|---|---|', '| x\\|y |', '| 1 | 2 | 3 |'])).toMatchObject({
      rows: [
        [[text('x|y')], []],
        [[text('1')], [text('2')]],
      ],
    });
  });

  it('is none before its second line has come, nor when that has other columns', () => {
    expect(tableIn(['| A | B |'])).toBeUndefined();
    expect(tableIn(['| A | B |', '| --- |'])).toBeUndefined();
  });
});

describe('what is foreign', () => {
  it.each([
    '<img src=x onerror=alert(1)>',
    '[here](javascript:alert(1))',
    '![](http://x.example/y.png)',
    '\u202enoitseuq',
  ])('stays text: %s', (hostile) => {
    expect(readBlocks(hostile)).toEqual([{ kind: 'paragraph', lines: [[text(hostile)]] }]);
  });

  it.each(['*', '|', '`', '**', '#', '- ', '|-'])('takes no long time for many of %j', (mark) => {
    const begun = performance.now();
    readBlocks(mark.repeat(30_000));
    readBlocks(`${mark}\n`.repeat(10_000));
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

it('is heard without its marks', () => {
  expect(plainTextOf(readBlocks(answer))).toBe(
    'Maverick buying by Plant:\nPlant, Maverick buying\n3010, 9.93 %\n2010, 9.48 %\nOnly: from 2026-03-01.',
  );
  expect(plainTextOf(readBlocks('- **a**\n```\nb\n```'))).toBe('a\nb');
});
