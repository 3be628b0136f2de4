/** What the elements put on a page, as markup: texts stay texts, and what is read aloud is there. */
import { describe, expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ReactNode } from 'react';
import { BarChart } from './bar-chart.js';
import { classNames } from './class-names.js';
import { FaultView } from './fault-view.js';
import { Figure } from './figure.js';
import { ForeignText, shorten } from './foreign-text.js';
import { Meter } from './meter.js';
import { Skeleton } from './skeleton.js';
import { Sparkline } from './sparkline.js';

const markup = (element: ReactNode): string => renderToStaticMarkup(element);
const hostile = '<img src=x onerror=alert(1)> "نص"';
const harmless = '&lt;img src=x onerror=alert(1)&gt; &quot;نص&quot;';

describe('foreign text', () => {
  it('is text in its own direction', () => {
    expect(markup(<ForeignText text={hostile} lang="ar" />)).toBe(`<bdi class="text" lang="ar">${harmless}</bdi>`);
  });

  it('is shown from its beginning when it is long', () => {
    const shown = markup(<ForeignText text={'x'.repeat(10_000)} />);
    expect(shown).toContain(`${'x'.repeat(600)}…</bdi>`);
    expect(shown).toContain('Show all');
  });

  it('is never cut within a character', () => {
    expect(shorten('a😀', 2)).toBe('a…');
    expect(shorten('ab', 2)).toBe('ab');
  });
});

describe('a figure', () => {
  it('has its unit, its target, and what it is of', () => {
    const shown = markup(<Figure label="Maverick rate" value={0.09934} unit="%" scope="Plant 3010" target={0.05} />);
    for (const text of ['Maverick rate', '9.93%', 'Target 5%', 'Plant 3010'])
      expect(shown.replaceAll(/[\u2066-\u2069]/g, '')).toContain(text);
    expect(markup(<Figure label="Orders" value={61234} unit="pcs" scope="all" />)).toContain('61,234\u00a0pcs');
  });

  it('without a value is a gap', () => {
    expect(markup(<Figure label="Rate" value={undefined} unit="%" scope="all" />)).toContain('No value');
  });
});

it('a fault says its words, its place, its request and a way on', () => {
  const faults = [{ place: 'body a.0', message: hostile }];
  const shown = markup(
    <FaultView
      title="Refused"
      detail={hostile}
      next="Correct it."
      faults={faults}
      requestId="r1"
      lang="en"
      onRetry={() => undefined}
    />,
  );
  for (const text of ['role="alert"', 'Refused', 'body a.0', 'Correct it.', 'r1', 'Try again', 'lang="en"'])
    expect(shown).toContain(text);
  expect(shown).not.toContain('<img');
});

it('bars have their figures beside them', () => {
  const bars = [
    { id: 'a', label: hostile, value: 3 },
    { id: 'b', label: 'B', value: -1 },
  ];
  const shown = markup(<BarChart label="Rates" bars={bars} format={(value) => `${value} %`} />);
  for (const text of ['aria-label="Rates"', harmless, '3 %', '-1 %']) expect(shown).toContain(text);
  expect(shown).toContain('width="75"');
});

it('a bar may have a mark of what it is compared with, which counts for the width of all', () => {
  const chart = (compared: number | undefined) =>
    markup(<BarChart label="Rates" bars={[{ id: 'a', label: 'A', value: 5, compared }]} format={String} />);
  expect(chart(10)).toContain('<line class="mark" x1="100" x2="100"');
  expect(chart(10)).toContain('width="50"');
  expect(chart(-5)).toContain('<line class="mark" x1="0" x2="0"');
  expect(chart(undefined)).not.toContain('mark');
});

it('drawings say in words what they show', () => {
  expect(markup(<Sparkline label="rising to 3" values={[1, 2, 3]} />)).toContain('role="img" aria-label="rising to 3"');
  expect(markup(<Meter label="Requests" text="5 left" share={0.5} />)).toContain('aria-valuetext="5 left"');
  expect(markup(<Skeleton lines={2} />)).toContain('aria-label="Loading"');
});

it('class names leave out what does not hold', () => {
  expect(classNames('a', false, undefined, '', 'b')).toBe('a b');
});
