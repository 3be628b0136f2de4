import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nProvider } from 'react-aria-components';
import { NumberField } from './number-field.js';

const markup = (locale: string, value: number | undefined, error?: string): string =>
  renderToStaticMarkup(
    <I18nProvider locale={locale}>
      <NumberField label="Limit" value={value} onChange={() => undefined} error={error} />
    </I18nProvider>,
  );

it('a number is written as the language does, neither grouped nor rounded', () => {
  expect(markup('en', 1234567.125)).toContain('value="1234567.125"');
  expect(markup('de', 1234567.125)).toContain('value="1234567,125"');
  expect(markup('en', undefined)).toContain('value=""');
});

it('a number that is wrong is marked, with the reason below it', () => {
  const shown = markup('en', 0, 'expected to be >= 1');
  expect(shown).toContain('aria-invalid="true"');
  expect(shown).toContain('expected to be &gt;= 1');
});
