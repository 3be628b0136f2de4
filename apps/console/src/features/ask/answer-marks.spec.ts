import { describe, expect, it } from '@jest/globals';
import type { Block, Inline } from './answer-blocks.js';
import { readMarkedBlocks, readMarks } from './answer-marks.js';
import type { Grounding } from './shown-turn.js';

type Figure = Grounding['figures'][number];
const evidence = '/intelligence/api/evidence/e1';
const page = { path: '/evidence/$evidenceId', params: { evidenceId: 'e1' } };

/** The place of a number in a text, as the server says it. */
const figure = (text: string, written: string, more: Partial<Figure> = {}): Figure => ({
  ...{ text: written, value: 0, start: text.indexOf(written), end: text.indexOf(written) + written.length },
  ...{ state: 'unverified', cells: [], ...more },
});
const verified: Partial<Figure> = { state: 'verified', cells: [{ callId: 'a', tool: 'load-data', evidence }] };
const grounding = (figures: readonly Figure[], outcome: Grounding['outcome'] = 'marked'): Grounding => ({
  outcome,
  figures: [...figures],
});

describe('the marks of an answer', () => {
  const text = 'Revenue is 42, cost is 17.';

  it('are where a number stands that no tool told, and where one has evidence', () => {
    const figures = [figure(text, '17', verified), figure(text, '42')];
    expect(readMarks(grounding(figures), text)).toEqual([
      { start: 11, end: 13, mark: { kind: 'unverified' } },
      { start: 23, end: 25, mark: { kind: 'evidence', page } },
    ]);
  });

  it('are none where a figure has no evidence, or is of the structured output', () => {
    const cells = [{ callId: 'a', tool: 'find-content' }];
    const ofOutput = { ...figure(text, '42'), start: undefined, end: undefined, path: 'value' };
    expect(readMarks(grounding([figure(text, '17', { ...verified, cells }), ofOutput]), text)).toEqual([]);
  });

  it('are none in a text other than the one that was looked at', () => {
    const figures = [figure(text, '42')];
    expect(readMarks(grounding(figures), 'The answer is withheld.')).toEqual([]);
    for (const outcome of ['refused', 'retried'] as const)
      expect(readMarks(grounding(figures, outcome), text)).toEqual([]);
    expect(readMarks(undefined, text)).toEqual([]);
  });

  it('never overlap', () => {
    const figures = [figure(text, '42, cost is 17'), figure(text, '17')];
    expect(readMarks(grounding(figures), text)).toHaveLength(1);
  });
});

describe('marked blocks', () => {
  const inlinesOf = (block: Block | undefined): readonly Inline[] => {
    switch (block?.kind) {
      case 'table':
        return [block.heads, ...block.rows].flat(2);
      case 'list':
        return block.items.flat();
      case 'code':
        return block.line;
      case 'paragraph':
      case 'heading':
        return block.lines.flat();
      case undefined:
        return [];
    }
  };
  /** Marked pieces stand in angle brackets. */
  const shown = (text: string, ...numbers: readonly string[]): readonly string[] =>
    readMarkedBlocks(text, readMarks(grounding(numbers.map((number) => figure(text, number))), text)).map((block) =>
      inlinesOf(block)
        .map(({ kind, text: own, mark }) => `${kind === 'text' ? '' : `${kind}:`}${mark ? `<${own}>` : own}`)
        .join('|'),
    );

  it.each([
    ['Revenue is 42.', ['42'], ['Revenue is |<42>|.']],
    [
      'It is **about 42 EUR** or `17`.',
      ['42', '17'],
      ['It is |strong:about |strong:<42>|strong: EUR| or |code:<17>|.'],
    ],
    ['# 42 in all', ['42'], ['<42>| in all']],
    ['- one\n- 42', ['42'], ['one|<42>']],
    ['| A | B |\n| --- | ---: |\n| x\\|y | 42 |', ['42'], ['A|B|x|y|<42>']],
    ['```\nx = 42\n```', ['42'], ['x = |<42>']],
    ['Of 4**2** it is.', ['4**2'], ['Of |<4>|strong:<2>| it is.']],
    ['42\n\nand 17', ['42', '17'], ['<42>', 'and |<17>']],
  ])('of %j', (text, numbers, expected) => {
    expect(shown(text, ...numbers)).toEqual(expected);
  });

  it('do not take characters of the answer for their own', () => {
    expect(shown('\ufdd0\ue000 is 42\ufdd1', '42')).toEqual(['\ufffd\ue000 is |<42>|\ufffd']);
  });

  it('are as many as a turn keeps', () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `n${at + 10_000}`).join(' ');
    const figures = text.split(' ').map((word) => figure(text, word));
    expect(
      inlinesOf(readMarkedBlocks(text, readMarks(grounding(figures), text))[0]).filter(({ mark }) => mark),
    ).toHaveLength(2_000);
  });
});
