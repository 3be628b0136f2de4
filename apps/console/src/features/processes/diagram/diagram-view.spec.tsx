/** A diagram as markup: texts stay texts, symbols lead where they should, and the list says what the drawing shows. */
import { describe, expect, it, jest } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { DiagramList } from './diagram-list.js';
import type { Diagram, DiagramSymbol } from './diagram-model.js';
import { Drawing } from './diagram-view.js';
import { layoutDiagram } from './layout-diagram.js';
import { openHere } from './symbol-link.js';

const hostile = '<img src=x onerror=alert(1)>';
const symbolOf = (id: string, more: Partial<DiagramSymbol>): DiagramSymbol => ({
  ...{ id, shape: 'activity', label: id, culture: '1031', typeName: 'Aktivität', lane: undefined },
  ...{ target: undefined, place: undefined },
  ...more,
});
const diagram: Diagram = {
  lanes: [symbolOf('lane', { shape: 'lane', label: 'Clerk' })],
  symbols: [
    symbolOf('start', { shape: 'start', label: hostile, lane: 'lane' }),
    symbolOf('check', { label: 'Check invoice', target: { facetName: 'processes', id: 'e1' } }),
    symbolOf('erp', { shape: 'resource', label: 'ERP', target: { facetName: 'it', id: 'e2' } }),
  ],
  links: [
    { from: 'start', to: 'check', kind: 'flow' },
    { from: 'check', to: 'erp', kind: 'uses' },
  ],
};
const links = {
  hrefOf: ({ facetName, id }: { readonly facetName: string; readonly id: string }) => `/console/${facetName}/${id}`,
  onOpen: () => undefined,
};
const plain = (markup: string): string => markup.replaceAll(/[\u2066-\u2069]/g, '');
const drawn = plain(renderToStaticMarkup(<Drawing diagram={diagram} layout={layoutDiagram(diagram)} {...links} />));
const listed = plain(renderToStaticMarkup(<DiagramList diagram={diagram} {...links} />));

describe('the drawing', () => {
  it('has a link for what a symbol stands for, and a named picture for others', () => {
    expect(drawn).toContain('<a class="link" href="/console/processes/e1" aria-label="Aktivität: Check invoice">');
    expect(drawn).toContain('role="img" aria-label="Aktivität: &lt;img src=x onerror=alert(1)&gt;"');
    expect(drawn.match(/marker-end/g)).toHaveLength(1);
  });

  it('shows text as text', () => {
    expect(drawn).not.toContain('<img');
    expect(drawn).toContain('lang="de-DE"');
  });
});

it('the list says what follows, what is used, and where', () => {
  expect(listed.replaceAll(/<[^>]+>/g, '')).toContain('in Clerk then Check invoice');
  expect(listed).toContain('(uses ERP)');
  expect(listed).toContain('<a href="/console/it/e2"><bdi>ERP</bdi></a>');
});

describe('a press on a link', () => {
  const press = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };

  it.each([
    [{}, 1],
    [{ ctrlKey: true }, 0],
    [{ metaKey: true }, 0],
    [{ shiftKey: true }, 0],
    [{ button: 1 }, 0],
  ])('with %j opens the page here %d times', (keys, times) => {
    const [open, preventDefault] = [jest.fn(), jest.fn()];
    openHere({ ...press, ...keys, preventDefault }, open);
    expect([open.mock.calls.length, preventDefault.mock.calls.length]).toEqual([times, times]);
  });
});
