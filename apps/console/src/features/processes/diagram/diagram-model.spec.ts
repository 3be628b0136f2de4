import { describe, expect, it } from '@jest/globals';
import { readElements } from '../content-element.js';
import { diagramOf, expandedRelations, shapeOfType, type LinkKind } from './diagram-model.js';

const names = (en: string, de?: string) => ({ name: { 1033: en, ...(de !== undefined && { 1031: de }) } });
const at = (x: number, y = 80) => ({ x: { 127: x }, y: { 127: y }, width: { 127: 40 }, height: { 127: 40 } });
const check = { id: 'check', facetName: 'processes', type: 'activity', attributes: names('Check', 'Prüfen') };
const erp = { id: 'erp', facetName: 'it', type: 'application', attributes: names('ERP') };

const symbol = (id: string, type: string, attributes: object, represents?: object) => ({
  ...{ id, type, facetName: 'processes', attributes },
  ...(represents && { related: { represents: [represents] } }),
});
const lane = symbol(
  'lane',
  'lane',
  { ...at(0, 0), width: { 127: 500 }, height: { 127: 200 } },
  { id: 'clerk', facetName: 'roles', type: 'role', attributes: names('Clerk', 'Sachbearbeiterin') },
);
const content = [
  lane,
  symbol('end', 'endEvent', { ...names('Done'), ...at(400) }),
  symbol('one', 'activitySymbol', at(200), { ...check, related: { uses: [{ id: 'erp' }] } }),
  symbol('start', 'startEvent', { ...names('Start'), ...at(40) }),
  symbol('system', 'applicationSymbol', at(200, 230), erp),
];
const diagram = (given: readonly object[], culture = '1033') => diagramOf(readElements(given), culture);
const linksOf = (given: readonly object[], kind?: LinkKind) =>
  diagram(given)
    .links.filter((link) => kind === undefined || link.kind === kind)
    .map(({ from, to }) => `${from} ${to}`);

describe('the shape of a symbol', () => {
  it.each([
    ['startEvent', 'start'],
    ['endEvent', 'end'],
    ['timer_event', 'event'],
    ['decision', 'gateway'],
    ['xorGateway', 'gateway'],
    ['lane', 'lane'],
    ['applicationSymbol', 'resource'],
    ['activitySymbol', 'activity'],
    ['endUser', 'activity'],
    ['unitSymbol', 'activity'],
  ])('of the type %s is that of %s', (type, shape) => {
    expect(shapeOfType(type)).toBe(shape);
  });
});

describe('a diagram', () => {
  it('names symbols by themselves, else by what they stand for, in the language asked for', () => {
    const { symbols, lanes } = diagram(content, '1031');
    expect(symbols.map(({ id, label }) => [id, label])).toEqual([
      ['end', 'Done'],
      ['one', 'Prüfen'],
      ['start', 'Start'],
      ['system', 'ERP'],
    ]);
    expect(lanes.map(({ label, culture, target }) => [label, culture, target])).toEqual([
      ['Sachbearbeiterin', '1031', { facetName: 'roles', id: 'clerk' }],
    ]);
  });

  it('says what a symbol stands for, and what stands for nothing', () => {
    const targets = diagram(content).symbols.map(({ target }) => target);
    expect(targets).toEqual([
      undefined,
      { facetName: 'processes', id: 'check' },
      undefined,
      { facetName: 'it', id: 'erp' },
    ]);
  });

  it('puts symbols into the lane that they were drawn in, and resources into none', () => {
    expect(diagram(content).symbols.map((each) => each.lane)).toEqual(['lane', 'lane', 'lane', undefined]);
  });

  it('puts symbols without a place into the lane of the role that does them', () => {
    const executing = symbol(
      'lane',
      'lane',
      {},
      { id: 'clerk', type: 'role', related: { executes: [{ id: 'check' }] } },
    );
    expect(diagram([executing, symbol('one', 'activitySymbol', {}, check)]).symbols[0]?.lane).toBe('lane');
  });

  it('follows the places where nothing connects the symbols', () => {
    expect(linksOf(content, 'order')).toEqual(['start one', 'one end']);
    expect(linksOf(content, 'uses')).toEqual(['one system']);
  });

  it('follows connections between symbols, and between what they stand for', () => {
    const next = { id: 'post', facetName: 'processes', type: 'activity' };
    const connected = [
      { ...symbol('a', 'activitySymbol', {}), related: { next: [{ id: 'b' }, { id: 'b' }] } },
      symbol(
        'b',
        'activitySymbol',
        {},
        { ...check, related: { precedes: [{ id: 'post' }], createdBy: [{ id: 'erp' }] } },
      ),
      symbol('c', 'activitySymbol', {}, next),
      symbol('d', 'activitySymbol', {}, erp),
    ];
    expect(linksOf(connected)).toEqual(['a b', 'b c']);
  });

  it('has no arrows where nothing is an event or a decision and nothing connects', () => {
    expect(linksOf([symbol('a', 'unitSymbol', at(0)), symbol('b', 'unitSymbol', at(9))])).toEqual([]);
  });

  it('of no content is empty', () => {
    expect(diagram([])).toEqual({ lanes: [], symbols: [], links: [] });
  });
});

it('relations to read are those of the types, without what the server keeps', () => {
  const relations = [{ name: 'represents' }, { name: 'createdBy' }, { name: 'uses' }];
  expect(expandedRelations([{ relations }, { relations }])).toEqual(['represents', 'uses']);
});
