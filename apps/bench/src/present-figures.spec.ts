import { describe, expect, it } from '@jest/globals';
import { formatFiguresTable, replaceFigureBlock } from './present-figures.js';

const figures = [
  { what: 'Rate', target: '>= 0.40', actual: '0.42', holds: true },
  { what: 'Memory growth', target: '< 64 MB', actual: '80 MB', holds: false },
  { what: 'p50', actual: '3 ms' },
];

const document = '# Speed\n\n<!-- figures: models -->\nold\n<!-- /figures: models -->\n\nWhy.\n';

describe('figures', () => {
  it('are aligned in columns and mark a missed target', () => {
    expect(formatFiguresTable(figures).split('\n')).toEqual([
      'figure         target   measured  met',
      'Rate           >= 0.40  0.42      yes',
      'Memory growth  < 64 MB  80 MB     NO',
      'p50                     3 ms',
    ]);
  });

  it('replace only the figures of their block in the document', () => {
    const written = replaceFigureBlock(document, 'models', figures, 'Measured today.');
    expect(written).toMatch(/^# Speed\n\n<!-- figures: models -->\n\nMeasured today\.\n\n\| figure /);
    expect(written).toContain('| Memory growth | < 64 MB | 80 MB | NO |');
    expect(written).not.toContain('old');
    expect(written).toMatch(/<!-- \/figures: models -->\n\nWhy\.\n$/);
    expect(replaceFigureBlock(written, 'models', figures, 'Measured today.')).toBe(written);
  });

  it('are rejected for a document without the markers of their block', () => {
    expect(() => replaceFigureBlock(document, 'content', figures, 'Measured today.')).toThrow('no place for figures');
    expect(() => replaceFigureBlock('# Speed', 'models', figures, 'Measured today.')).toThrow('no place for figures');
  });
});
