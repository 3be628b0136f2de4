import { describe, expect, it } from '@jest/globals';
import { asText, withFigures } from './present-figures.js';

const figures = [
  { what: 'Rate', target: '>= 0.40', aim: '0.45', actual: '0.42', holds: true },
  { what: 'Memory growth', target: '< 64 MB', actual: '80 MB', holds: false },
  { what: 'p50', actual: '3 ms' },
];

describe('figures', () => {
  it('stand in columns, and a missed target is easy to see', () => {
    expect(asText(figures).split('\n')).toEqual([
      'figure         target   aim   measured  met',
      'Rate           >= 0.40  0.45  0.42      yes',
      'Memory growth  < 64 MB        80 MB     NO',
      'p50                           3 ms',
    ]);
  });

  it('replace the ones that the document has, and nothing else', () => {
    const document = '# Speed\n\n<!-- figures -->\nold\n<!-- /figures -->\n\nWhy.\n';
    const written = withFigures(document, figures, 'Measured today.');
    expect(written).toMatch(/^# Speed\n\n<!-- figures -->\n\nMeasured today\.\n\n\| figure /);
    expect(written).toContain('| Memory growth | < 64 MB |  | 80 MB | NO |');
    expect(written).not.toContain('old');
    expect(written).toMatch(/<!-- \/figures -->\n\nWhy\.\n$/);
    expect(withFigures(written, figures, 'Measured today.')).toBe(written);
  });

  it('are refused by a document without a place for them', () => {
    expect(() => withFigures('# Speed', figures, 'Measured today.')).toThrow('no place for figures');
  });
});
