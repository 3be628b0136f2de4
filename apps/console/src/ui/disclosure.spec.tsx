import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { Disclosure } from './disclosure.js';
import { LiveRegion } from './live-region.js';

const disclosure = (isOpen: boolean): string =>
  renderToStaticMarkup(
    <Disclosure title="load-data" isOpen={isOpen} onToggle={() => undefined}>
      <p>What is inside</p>
    </Disclosure>,
  );

it('a part that unfolds says whether it is open, and has nothing in it before', () => {
  expect(disclosure(true)).toContain('aria-expanded="true"');
  expect(disclosure(true)).toContain('What is inside');
  expect(disclosure(false)).toContain('aria-expanded="false"');
  expect(disclosure(false)).not.toContain('What is inside');
});

it('what is said is said politely', () => {
  expect(renderToStaticMarkup(<LiveRegion text="Answer: 4.2 %" />)).toBe(
    '<p class="unseen" role="status" aria-live="polite">Answer: 4.2 %</p>',
  );
});
