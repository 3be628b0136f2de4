import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureCatalogue } from './catalogue.js';

const documented = readFileSync(join(import.meta.dirname, '../../../docs/failures.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.replaceAll(/ +/g, ' '));

it('the documentation lists exactly the failures of the catalogue', () => {
  const expected = Object.entries(failureCatalogue).map(
    ([code, { status, title, next }]) => `| \`${code}\` | ${status} | ${title} | ${next} |`,
  );
  expect(documented).toEqual(expected);
});
