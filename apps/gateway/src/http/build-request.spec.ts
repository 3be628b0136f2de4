import { describe, expect, it } from '@jest/globals';
import { operation } from '@tessera/contracts';
import { explainOwnQuery } from '@tessera/contracts/knowledge-models';
import { z } from 'zod';
import { createRequestBuilder } from './build-request.js';
import { faultsFromIssues } from './faults.js';

const Draft = z
  .strictObject({
    title: z.string().min(1),
    maker: z.strictObject({ house: z.string(), rooms: z.array(z.strictObject({ floor: z.int() })) }).optional(),
    pages: z.int().max(9).optional(),
    notes: z.record(z.string(), z.string()).optional(),
    cover: z
      .strictObject({ colour: z.string().optional(), format: z.strictObject({ height: z.int() }).optional() })
      .optional(),
  })
  .meta({ id: 'TrialDraft' });

const testOperation = operation({
  owner: 'gateway',
  name: 'trial.all',
  summary: 'Every kind of member',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 1000,
  request: z.strictObject({
    shelf: z.string().min(2),
    page: z.int().min(1).default(1),
    share: z.number().optional(),
    drafts: z.boolean().default(false),
    tags: z.array(z.string().min(1)).max(3).optional(),
    numbers: z.array(z.int()).optional(),
    phrases: z.array(z.string()).optional().meta({ explode: true }),
    kind: z.enum(['text', 'image']).optional(),
    since: z.iso.date().optional(),
    until: z.iso.datetime().optional(),
    book: z.guid().optional(),
    language: z.string().optional(),
    draft: Draft,
  }),
  reply: z.object({}),
  failures: [],
  http: {
    group: 'admin',
    method: 'post',
    path: '/trial/{shelf}',
    body: 'draft',
    headers: { language: 'Accept-Language' },
  },
});

const build = createRequestBuilder(testOperation);
const isIgnored = (name: string) => /^(?:_|utm_)|^mark$/.test(name);
const draft = { title: 'A' };
const buildFrom = (query: string, more: { body?: unknown; headers?: Record<string, string>; shelf?: string } = {}) => {
  const result = build({
    params: { shelf: more.shelf ?? 'red' },
    url: `/trial/red${query}`,
    team: 'meridian',
    headers: more.headers ?? {},
    body: 'body' in more ? more.body : draft,
    isIgnored,
  });
  if (result instanceof Promise) throw new Error('A short request is built at once.');
  return result;
};
const value = (query: string) => {
  const result = buildFrom(query);
  return result.ok ? result.value : result.failure;
};
const faults = (query: string, more = {}) => {
  const result = buildFrom(query, more);
  return result.ok ? [] : (result.failure.faults ?? []).map((fault) => `${fault.in} ${fault.path} ${fault.message}`);
};

describe('text of a request', () => {
  it('is converted to the type of the contract', () => {
    expect(value('?page=3&share=-0.5&drafts=true&numbers=1,2&kind=image&since=2026-06-30')).toEqual({
      shelf: 'red',
      page: 3,
      share: -0.5,
      drafts: true,
      numbers: [1, 2],
      kind: 'image',
      since: '2026-06-30',
      draft,
    });
  });

  it('is a list when separated by commas or repeated, and an empty list when empty', () => {
    expect(value('?tags=a,b&tags=c')).toMatchObject({ tags: ['a', 'b', 'c'] });
    expect(value('?tags=a%2Cb')).toMatchObject({ tags: ['a', 'b'] });
    expect(value('?tags=')).toMatchObject({ tags: [] });
  });

  it('is a list only by repetition where values may contain commas', () => {
    expect(value('?phrases=a,%20b')).toMatchObject({ phrases: ['a, b'] });
    expect(value('?phrases=a,b&phrases=c')).toMatchObject({ phrases: ['a,b', 'c'] });
  });

  it('has spaces written as + and as %20', () => {
    expect(value('?tags=a+b,c%20d')).toMatchObject({ tags: ['a b', 'c d'] });
  });

  it.each(['%EF', 'K%F6ln', 'a%C3', '%ED%A0%80', '50%25%FF'])('is refused when it is not UTF-8: %s', (text) => {
    const refused = { code: 'GENERAL_PARAMETER_ILLEGAL', detail: 'The query is not UTF-8 in percent-encoding.' };
    expect(value(`?phrases=${text}`)).toEqual(refused);
    expect(value(`?other${text}=1`)).toEqual(refused);
  });

  it.each([
    ['K%C3%B6ln', 'Köln'],
    ['%EF%BF%BD', '\uFFFD'],
    ['50%', '50%'],
    ['%zz%C3%B6%', '%zzö%'],
  ])('may contain unescaped percent signs: %s', (text, meant) =>
    expect(value(`?phrases=${text}`)).toMatchObject({ phrases: [meant] }),
  );

  it('is read from headers by the names of the contract', () => {
    expect(buildFrom('', { headers: { 'accept-language': 'de' } })).toMatchObject({ value: { language: 'de' } });
  });

  it.each([
    ['?page=', 'query page expected a number.'],
    ['?page=1e3', 'query page expected a number.'],
    ['?page=0x10', 'query page expected a number.'],
    ['?page=1.5', 'query page expected a whole number.'],
    ['?page=+1', 'query page expected a number.'],
    ['?drafts=yes', 'query drafts expected true or false.'],
    ['?drafts=TRUE', 'query drafts expected true or false.'],
    ['?share=1&share=2', 'query share is given more than once; expected a number.'],
    ['?tags=a,b,c,d', 'query tags expected at most 3 entries.'],
    ['?numbers=1,x', 'query numbers.1 expected a number.'],
    ['?kind=txt', 'query kind expected one of text, image, not "txt"; did you mean "text"?'],
  ])('of another type is refused: %s', (query, expected) => {
    expect(faults(query)).toEqual([expected]);
  });
});

describe('an invalid value', () => {
  it('is reported in the terms of the interface', () => {
    expect(faults('?book=red')).toEqual(['query book expected a UUID.']);
    expect(faults('?until=soon')).toEqual(['query until expected a date-time such as 2026-05-07T08:30:00Z.']);
    expect(faults('', { body: { title: '', notes: [] } })).toEqual([
      'body title expected at least 1 character.',
      'body notes expected an object.',
    ]);
  });

  it('of a union is checked against the closest variant', () => {
    const text = z.union([z.string(), z.number()], 'expected a text or a number');
    const shapes = z.union(
      [
        text,
        z.array(z.strictObject({ url: z.string() })),
        z.record(z.string().regex(/^\d+$/, 'expected digits'), text),
      ],
      'expected a value',
    );
    const member = (value: unknown) =>
      (shapes.safeParse(value).error?.issues ?? []).length > 0
        ? faultsFromIssues(
            z.object({ value: shapes }).safeParse({ value }).error?.issues ?? [],
            { value },
            { placeOf: () => ({ in: 'query', name: 'value' }), membersAt: () => [] },
          ).map(({ path, message }) => `${path} ${message}`)
        : [];
    expect(member(true)).toEqual(['value expected a value.']);
    expect(member([{ title: 'a' }])).toEqual([
      'value.0.url is missing; expected one text.',
      'value.0.title is not known here.',
    ]);
    expect(member({ 1: null })).toEqual(['value.1 expected a text or a number.']);
    expect(member({ en: 'x' })).toEqual(['value.en expected digits.']);
  });

  it('that is given twice is reported as such', () => {
    expect(faults('?page=1&page=2')).toEqual(['query page is given more than once; expected a number.']);
    expect(faults('?kind=text&kind=image')).toEqual([
      'query kind is given more than once; expected one of text, image.',
    ]);
  });

  it('is reported as out of range when it is a very long number', () => {
    expect(faults('?page=99999999999999999999')).toEqual(['query page expected at most 9007199254740991.']);
  });
});

describe('the question of an explanation', () => {
  const buildExplained = createRequestBuilder(explainOwnQuery);
  const explain = (body: unknown) =>
    buildExplained({ params: { km_id: 'p2p' }, url: '/explain', team: 'meridian', headers: {}, body, isIgnored });
  const projection = { fields: 'CITY' };

  it.each([
    ['beside the query', { query: { projection }, recrod: 'ORDER' }, 'recrod', 'record'],
    ['in the query', { query: { projection, timeZone: 'UTC' } }, 'query.timeZone', undefined],
    ['of the projection', { query: { projection: { ...projection, kpi: ['A'] } } }, 'query.projection.kpi', 'kpis'],
    [
      'near nothing',
      { query: { projection: { ...projection, calendar: {} } } },
      'query.projection.calendar',
      undefined,
    ],
    ...(['filters', 'pagination', 'search'] as const).map((member) => {
      const inner = { [member]: { ...(member === 'search' && { term: 'a' }), zones: 1 } };
      return [
        `of ${member}`,
        { query: { projection: { ...projection, ...inner } } },
        `query.projection.${member}.zones`,
        undefined,
      ] as const;
    }),
  ])('has no unknown member %s', (_where, body, path, suggestion) => {
    expect(explain(body)).toMatchObject({
      failure: { faults: [{ in: 'body', path, ...(suggestion !== undefined && { suggestion }) }] },
    });
  });

  it('may have null for what is absent', () => {
    const query = { projection: { ...projection, filters: { kmFilterNames: null }, search: null } };
    expect(explain({ query, record: null })).toMatchObject({
      ok: true,
      value: { explain: { query: { projection: { fields: 'CITY', filters: {} } } } },
    });
  });
});

describe('unknown names', () => {
  it('are refused, with the nearest known one where one is near', () => {
    expect(faults('?pages=2')).toEqual(['query pages is not known; did you mean "page"?']);
    expect(faults('?Drafts=true&q=1&timezone=UTC')).toEqual([
      'query Drafts is not known; did you mean "drafts"?',
      'query q is not known here.',
      'query timezone is not known here.',
    ]);
    expect(faults('', { body: { title: 'A', page: 1 } })).toEqual(['body page is not known; did you mean "pages"?']);
  });

  it('are ignored when they begin with _ or utm_ or the operator says so, at every depth of a body', () => {
    expect(value('?utm_source=x&_=2&mark=1')).toEqual(value(''));
    const cover = { _note: 1, format: { height: 3, mark: 1, utm_x: {} } };
    const body = { title: 'A', _: 1, cover, maker: { house: 'h', rooms: [{ floor: 1, _x: 1 }] } };
    expect(buildFrom('', { body })).toMatchObject({
      value: {
        draft: { title: 'A', cover: { format: { height: 3 } }, maker: { house: 'h', rooms: [{ floor: 1 }] } },
      },
    });
    expect(faults('?utm=1&marks=1', { body })).toEqual([
      'query utm is not known here.',
      'query marks is not known here.',
    ]);
    expect(faults('', { body: { title: 'A', _: 1, utm: 1 } })).toEqual(['body utm is not known here.']);
  });

  it('are told with the names that are known', () => {
    expect(buildFrom('?pagee=1')).toMatchObject({
      failure: {
        faults: [{ in: 'query', path: 'pagee', suggestion: 'page', values: expect.arrayContaining(['page']) }],
      },
    });
    expect(buildFrom('', { body: { title: 'A', cover: { x: 1 } } })).toMatchObject({
      failure: { faults: [{ in: 'body', path: 'cover.x', values: ['colour', 'format'] }] },
    });
  });

  it('are refused with the nearest known one in strict objects', () => {
    const maker = { house: 'h', hause: 'x', toString: 1, rooms: [{ floor: 1 }, { floor: 2, flor: 2, colour: 'red' }] };
    expect(faults('', { body: { title: 'A', maker } })).toEqual([
      'body maker.rooms.1.flor is not known; did you mean "floor"?',
      'body maker.rooms.1.colour is not known here.',
      'body maker.hause is not known; did you mean "house"?',
      'body maker.toString is not known here.',
    ]);
  });

  it('are checked inside the body', () => {
    const cover = { color: 'red', format: { hight: 3, height: 3 } };
    expect(faults('', { body: { title: 'A', cover } })).toEqual([
      'body cover.format.hight is not known; did you mean "height"?',
      'body cover.color is not known; did you mean "colour"?',
    ]);
    expect(faults('', { body: { title: 'A', notes: { titel: 'x' }, cover: [] } })).toEqual([
      'body cover expected an object.',
    ]);
  });

  it('cannot set the prototype or a member of another part of the request', () => {
    expect(buildFrom('?__proto__=x')).toMatchObject({ ok: true, value: { shelf: 'red', draft } });
    expect(faults('?constructor=y&toString=z&shelf=blue')).toEqual(
      ['constructor', 'toString', 'shelf'].map((name) => `query ${name} is not known here.`),
    );
  });

  it('are limited in number', () => {
    const many = Array.from({ length: 1001 }, (_, at) => `zzz${at}=1`).join('&');
    expect(buildFrom(`?${many}`)).toMatchObject({ failure: { code: 'GENERAL_PARAMETER_ILLEGAL' } });
  });

  it('are limited more strictly than known ones, since each is compared with all of them', () => {
    const unknown = (count: number) => Array.from({ length: count }, (_, at) => `zzz${at}=1`).join('&');
    expect(faults(`?${unknown(100)}`)).toHaveLength(100);
    expect(buildFrom(`?${unknown(101)}`)).toMatchObject({
      failure: {
        code: 'GENERAL_PARAMETER_ILLEGAL',
        detail: expect.stringContaining('100 parameters that are not known'),
      },
    });
    expect(buildFrom(`?${'tags=a&'.repeat(2)}${'utm_x=1&'.repeat(500)}`)).toMatchObject({ ok: true });
  });
});

describe('requests of some hundred values', () => {
  it('are checked in an iteration of the event loop each', async () => {
    let iteration = 0;
    let counting = setImmediate(function count() {
      iteration++;
      counting = setImmediate(count);
    });
    const rooms = Array.from({ length: 100 }, (_, floor) => ({ floor }));
    const body = { title: 'A', maker: { house: 'h', rooms } };
    const checked = Array.from({ length: 20 }, async () => {
      const parts = { params: { shelf: 'red' }, url: '/trial/red', team: 'meridian', headers: {}, body, isIgnored };
      const { ok } = await build(parts);
      return ok ? iteration : undefined;
    });
    const iterations = await Promise.all(checked);
    clearImmediate(counting);
    expect(iterations).not.toContain(undefined);
    expect(new Set(iterations).size).toBe(20);
  });
});

describe('the code of the failure', () => {
  it('says whether something is missing, wrong, or wrong in the body', () => {
    const code = (result: ReturnType<typeof buildFrom>) => (result.ok ? 'ok' : result.failure.code);
    expect(code(buildFrom('?page=x'))).toBe('GENERAL_PARAMETER_ILLEGAL');
    expect(code(buildFrom('', { body: undefined }))).toBe('GENERAL_CONSTRAINT_VIOLATION');
    expect(code(buildFrom('', { body: { title: '', pages: 10 } }))).toBe('GENERAL_CONSTRAINT_VIOLATION');
    expect(faults('', { body: { pages: 10 }, shelf: 'r' })).toEqual([
      'path shelf expected at least 2 characters.',
      'body title is missing; expected a text.',
      'body pages expected at most 9.',
    ]);
  });
});
