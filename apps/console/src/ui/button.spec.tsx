import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { Button } from './button.js';

const markup = (isPending: boolean): string =>
  renderToStaticMarkup(
    <Button type="submit" isPending={isPending}>
      Save
    </Button>,
  );

it('a button that waits keeps its place, sends no form, and says that it does nothing', () => {
  expect(markup(false)).toContain('type="submit"');
  expect(markup(false)).not.toContain('aria-disabled');
  expect(markup(true)).toContain('type="button"');
  expect(markup(true)).toContain('aria-disabled="true"');
  expect(markup(true)).not.toMatch(/ disabled|data-pending/);
});
