import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFacet, normaliseDefinition } from '@tessera/content-model';
import { StorageDefinition } from '@tessera/contracts';
import { listElements } from '@tessera/contracts/content-repo';
import { printPostgres } from '@tessera/sql';
import { ListElementsHandler } from '../elements/list-elements.handler.js';
import { companyDefinition } from '../testing/company.js';
import { compileContentFilter } from './compile-content-filter.js';
import {
  readJsonReply,
  createReaderContext,
  type Json,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';

/** Filter -> the names of the elements of the facet that match, whatever their place in the tree. */
const matches: readonly (readonly [string, readonly string[]])[] = [
  ["name -eq 'order goods'", ['Order goods']],
  ['name -eq \'WARE "bestellen"\'', ['Order goods']],
  ["name -ne 'Pay'", ['Buying', 'Order goods', 'Approve 100%_sure', 'Sign', 'Receive', 'Paying', 'Top step']],
  ["note -ne 'x' AND type -eq 'AREA'", ['Buying', 'Paying']],
  ["name -in ('SIGN', 'pago')", ['Sign', 'Paying']],
  ["name -gt 'receive'", ['Sign', 'Top step', 'Order goods']],
  ["Contains(name, '100%_')", ['Approve 100%_sure']],
  ["Contains(name, '0_%')", []],
  ["StartsWith(name, 'pa')", ['Paying', 'Pay']],
  ["EndsWith(name, 'ING') AND NOT StartsWith(name, 'B')", ['Paying']],
  ['cost -ge 12.5', ['Order goods', 'Receive']],
  ["cost -lt '12.50'", ['Sign']],
  ['cost -ne 1', ['Buying', 'Order goods', 'Approve 100%_sure', 'Receive', 'Paying', 'Pay', 'Top step']],
  ['cost -in (1, 2e2)', ['Sign', 'Receive']],
  ['critical -eq true', ['Order goods']],
  ["critical -in ('FALSE')", ['Receive']],
  ["validFrom -eq '2026-05-07'", ['Order goods']],
  ["validFrom -gt '2026-05-07'", []],
  ["validFrom -le '2026-05-07T08:30'", ['Order goods']],
  ["validFrom -lt '2026-05-07T08:30:00'", []],
  ["validFrom -in ('2026-05-06', '2026-05-07T08:30:00.000000')", ['Order goods']],
  ["validFrom -lt '9999-12-31'", ['Order goods']],
  ['NOT IsNull(links)', ['Order goods']],
  ["IsNull(note) AND type -eq 'process'", ['Order goods', 'Sign', 'Receive']],
  ["stereotype -eq 'CORE'", ['Order goods']],
  ["stereotype -ne 'core' AND type -in ('process')", ['Sign', 'Receive']],
  ['NOT IsNull(stereotype) OR IsNull(type)', ['Order goods']],
  ["state -eq 'released' AND isReleased -eq true AND majorVersion -eq 2", ['Order goods']],
  ["version -eq '2.1'", []],
  ["name -eq 'x' OR (name -eq 'Pay' AND NOT type -eq 'area')", ['Pay']],
];

const model = normaliseDefinition(StorageDefinition.parse(companyDefinition));
const processes = findFacet(model, 'processes');

describe('a filter on a facet', () => {
  let service: TestService;
  let handler: ListElementsHandler;
  beforeAll(async () => {
    service = await openTestService();
    handler = service.get(ListElementsHandler);
  });
  afterAll(() => service?.end());

  const ask = ($filter: string, viewId = 'detail') =>
    handler.list(
      listElements.request.parse({ ...testStorageNames, facetId: 'processes', viewId, $filter }),
      createReaderContext('meridian'),
    );
  const namesOf = (body: Json): unknown[] => body.elements.map((element: Json) => element.attributes.name[1033]);

  it.each(matches)('finds elements by %s', async ($filter, names) => {
    const body = await readJsonReply(ask($filter));
    expect(namesOf(body).sort()).toEqual([...names].sort());
    expect(body.count).toBe(names.length);
  });

  it('compiles to the SQL of the golden file', () => {
    const texts = matches.map(([filter]) => {
      const compiled = processes && compileContentFilter(filter, model, processes);
      return `-- ${filter}\n${compiled?.ok ? printPostgres(compiled.value).text : 'refused'}\n`;
    });
    const golden = readFileSync(join(import.meta.dirname, 'content-filter.golden.sql'), 'utf8');
    expect(texts.join('\n')).toBe(golden);
  });

  it.each([
    ["nam -eq 'x'", 0, 'Did you mean name?'],
    ["typ -eq 'x' OR cost -eq 1", 0, 'Did you mean type?'],
    ["name -eq 'x' AND cost -eq 'dear'", 26, 'cost is a number; expected a number such as 12.5.'],
    ['name -eq 5', 9, 'name is a text; expected a string in single quotes'],
    ['critical -eq 1', 13, 'true or false'],
    ['critical -gt true', 0, 'use -eq -ne -in or IsNull'],
    ["validFrom -ge '2026-02-30'", 14, 'a date such as'],
    ["validFrom -in ('2026-02-01', 'today')", 29, 'a date such as'],
    ["Contains(cost, '1')", 9, 'use -eq -ne -gt'],
    ["links -eq 'x'", 0, 'only IsNull can be asked'],
    ['type -eq true', 9, 'type is a text'],
    ['name -eq', 8, 'Expected a value'],
  ])('rejects %s at position %i', async ($filter, position, message) => {
    const failure = await readFailure(ask($filter));
    expect(failure?.code).toBe('CONTENT_FILTER_SYNTAX');
    expect(failure?.faults).toEqual([expect.objectContaining({ in: 'query', path: '$filter', position })]);
    expect(failure?.faults?.[0]?.message).toContain(message);
    expect(failure?.faults?.[0]?.message).toContain(`character ${position + 1}: `);
  });

  it('accepts hostile texts as values and names', async () => {
    const hostile = [
      "'; drop table x; --",
      '$1',
      '\\',
      '%',
      '_',
      '"',
      '{a,b}',
      '${x}',
      '\ud800',
      '💥',
      'NULL',
      "E'\\x'",
      '\u0001',
    ];
    for (const text of hostile) {
      const quoted = `'${text.replaceAll("'", "''")}'`;
      for (const filter of [
        `name -eq ${quoted}`,
        `Contains(name, ${quoted})`,
        `name -in (${quoted}, ${quoted})`,
        `state -gt ${quoted}`,
      ])
        expect(await readJsonReply(ask(filter))).toHaveProperty('count');
      expect((await readFailure(ask(`${text} -eq 'x'`)))?.code).toBe('CONTENT_FILTER_SYNTAX');
    }
    expect(namesOf(await readJsonReply(ask("Contains(name, '%')")))).toEqual(['Approve 100%_sure']);
  });

  it('can be executed with value lists of the maximum length', async () => {
    const list = (value: string) => Array.from({ length: 400 }, () => value).join(',');
    for (const filter of [
      `cost -in (${list('1')})`,
      `name -in (${list("'a'")})`,
      `validFrom -in (${list("'2026'")
        .slice(0, 2_000)
        .replaceAll("'2026'", "'2026-01-01'")
        .replace(/,[^,]*$/, '')})`,
    ])
      expect(await readJsonReply(ask(filter))).toHaveProperty('count');
  });

  it('keeps roots that have a match below them', async () => {
    expect(namesOf(await readJsonReply(ask("name -eq 'Sign'", 'reporting')))).toEqual(['Buying']);
    expect(namesOf(await readJsonReply(ask("type -eq 'step'", 'reporting')))).toEqual(['Buying', 'Paying', 'Top step']);
  });

  it('ignores matches under a hidden ancestor', async () => {
    expect(namesOf(await readJsonReply(ask("name -eq 'Sign'", 'areas')))).toEqual([]);
    expect(namesOf(await readJsonReply(ask("name -eq 'Receive'", 'areas')))).toEqual(['Buying']);
  });
});
