/** Conditions over computed values and over related entries: what is hidden from the caller has no part in them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getRandomRunCount } from '@tessera/testing';
import fc from 'fast-check';
import { readAllPages, openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient } from '../testing/query-client.js';
import { depotKeeperCaller } from '../testing/parcels.js';
import { shipmentsModel, createShipmentTables } from '../testing/shipments.js';
import { readJsonAnswer, openFixture, readFailure, type Fixture, type Json } from '../testing/fixture.js';

const team = 'meridian';
const anybody = { team };
const keepers = { team, ...depotKeeperCaller };
const model = 'shipments';

/** The same, and only keepers see the first shipments. */
const yardModel = {
  ...shipmentsModel,
  id: 'yard',
  policies: [
    ...(shipmentsModel.policies ?? []),
    { record: 'SHIPMENT', rows: 'NO ge 30', unless: { scope: 'depot:keep' } },
  ],
};

let fixture: Fixture;
let odata: ODataClient;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, shipmentsModel);
  await fixture.publish(team, yardModel);
  await fixture.load(team, ...createShipmentTables());
  odata = openODataClient(fixture, openQueryClient(fixture));
});
afterAll(() => fixture.end());

const page = ($filter: string, asker: typeof anybody = anybody, record = 'SHIPMENT') =>
  odata.page(asker, model, record, { $filter, $count: true });
const numbers = async (filter: string, asker?: typeof anybody): Promise<readonly number[]> => {
  const { value, '@odata.count': count } = await readJsonAnswer(page(filter, asker));
  expect(count).toBe(value.length);
  return value.map(({ NO }: Json) => NO);
};
const all = Array.from({ length: 60 }, (_, no) => no);

describe('a condition over computed values', () => {
  it.each<readonly [filter: string, holds: (no: number) => boolean]>([
    ['NO mod 7 eq 3 and 20 le NO', (no) => no % 7 === 3 && no >= 20],
    ['NO div 10 eq CARRIER_ID', (no) => Math.trunc(no / 10) === no % 3],
    ['NO divby 10 eq CARRIER_ID', (no) => no / 10 === no % 3],
    ['NO div CARRIER_ID eq null', (no) => no % 3 === 0],
    ['-NO add 5 gt 0', (no) => no < 5],
    ["concat(LINE_ORDER,'!') eq 'A!'", (no) => no % 5 === 1 || no % 5 === 2],
    ["indexof(LINE_ORDER,'B') eq 0", (no) => no % 5 === 3],
    ["substring(concat('x',LINE_ORDER),1) eq LINE_ORDER", () => true],
    ["substring(concat('x',LINE_ORDER),1) ge LINE_ORDER", (no) => no % 5 > 0],
    ['LINE/AMOUNT mul 2 eq 20', (no) => (no % 5 === 1 || no % 5 === 2) && no % 2 === 0],
    ['year(now()) gt NO', () => true],
    ['CARRIER/NAME eq LINE/COMPANY', (no) => isCarrierNameMissing(no) && !hasLine(no)],
  ])('%s', async (filter, holds) => expect(await numbers(filter)).toEqual(all.filter(holds)));

  const hasLine = (no: number) => [1, 2].includes(no % 5) || (no % 5 === 3 && no % 2 === 0);
  const isCarrierNameMissing = (no: number) => no % 3 !== 1;
});

describe('policies', () => {
  it('keep hidden rows out of computed values', async () => {
    const filter = 'LINE/AMOUNT sub 30 gt 5';
    expect(await numbers(filter)).toEqual([]);
    expect(await numbers(filter, keepers)).toEqual(all.filter((no) => no % 5 === 3 && no % 2 === 1));
    expect(await numbers('LINE/AMOUNT sub 30 eq null')).toContain(3);
    expect(await numbers('LINE/AMOUNT sub 30 eq null', keepers)).not.toContain(3);
  });

  it('make a hidden property indistinguishable from an unknown one', async () => {
    for (const filter of ['CARRIER/RATE mul 2 gt 1', 'NO gt round(CARRIER/RATE)', '1 lt CARRIER/RATE']) {
      const hidden = await readFailure(page(filter));
      expect(hidden?.code).toBe('KM_FIELD_NOTFOUND');
      const unknown = await readFailure(page(filter.replace('RATE', 'RITE')));
      expect(JSON.stringify(hidden).replaceAll('RATE', 'RITE')).toBe(JSON.stringify(unknown));
    }
    expect(await numbers('CARRIER/RATE mul 2 gt 1', keepers)).toEqual(all.filter((no) => no % 3 === 1));
  });

  it('tell nothing of hidden rows by a number that is too large to compute with', async () => {
    // Nearly all that a filter may have.
    const timesMax = 490;
    const timesFactor = (factor: string, times: number) => `NO eq 3${' and NO'}${` mul ${factor}`.repeat(times)} gt 0`;
    const ask = (factor: string, times: number) =>
      odata.page(anybody, 'yard', 'SHIPMENT', { $filter: timesFactor('@f', times), aliases: { '@f': factor } });
    for (const factor of ['9'.repeat(100), '9e98', `0.${'0'.repeat(98)}1`])
      expect(await readJsonAnswer(ask(factor, timesMax))).toMatchObject({ value: [] });
    for (const factor of ['9'.repeat(101), '1e100', '1e-999'])
      expect(await readFailure(ask(factor, 1))).toMatchObject({
        code: 'KM_FILTER_TYPE',
        detail: expect.stringContaining('A number to compute with has at most 100 digits.'),
      });
  });

  it('treat a hidden property on the right of a comparison as text', async () => {
    const hidden = await readFailure(page('ID eq RATE', anybody, 'CARRIER'));
    expect(hidden).toBeUndefined();
    expect((await readJsonAnswer(page('ID eq RATE', anybody, 'CARRIER'))).value).toEqual([]);
    expect(await readFailure(page('ID eq RATE', keepers, 'CARRIER'))).toMatchObject({ code: 'KM_FILTER_TYPE' });
  });
});

describe('$orderby of computed values and related properties', () => {
  const read = async (options: Readonly<Record<string, unknown>>, asker: typeof anybody = anybody) => {
    const pages = await readAllPages((page) => odata.page(asker, model, 'SHIPMENT', page), {
      ...{ prefer: 'maxpagesize=7', $select: 'NO' },
      ...options,
    });
    return pages.flatMap(({ value }) => value.map(({ NO }: Json) => NO));
  };
  /** Null first, numbers and texts upwards, and then by number. */
  const sorted = (valueOf: (no: number) => number | string | null, isDown = false): readonly number[] => {
    const sign = isDown ? -1 : 1;
    const order = (left: number | string | null, right: number | string | null): number => {
      if (left === right) return 0;
      if (left === null || right === null) return left === null ? -1 : 1;
      return left < right ? -1 : 1;
    };
    return all.toSorted((left, right) => sign * (order(valueOf(left), valueOf(right)) || left - right));
  };
  const amountOf = (no: number, isKeeper = false): number | null => {
    if ([1, 2].includes(no % 5)) return no % 2 === 0 ? 10 : null;
    return no % 5 === 3 ? (no % 2 === 0 ? 30.5 : isKeeper ? 40 : null) : null;
  };

  it('orders by the values, with each entry once over all pages', async () => {
    expect(await read({ $orderby: 'NO mod 7,NO' })).toEqual(sorted((no) => no % 7));
    expect(await read({ $orderby: 'NO mod 7 desc,NO desc' })).toEqual(sorted((no) => no % 7, true));
    expect(await read({ $orderby: 'CARRIER/NAME' })).toEqual(sorted((no) => (no % 3 === 1 ? 'Ships' : null)));
    expect(await read({ $orderby: 'LINE/AMOUNT desc' })).toEqual(sorted((no) => amountOf(no), true));
    expect(await read({ $orderby: 'NO add LINE/AMOUNT' })).toEqual(
      sorted((no) => (amountOf(no) === null ? null : no + (amountOf(no) ?? 0))),
    );
    expect(await read({ $orderby: 'LINE/AMOUNT', $expand: 'LINE', $filter: 'LINE/AMOUNT gt 0' })).toEqual(
      sorted((no) => amountOf(no)).filter((no) => amountOf(no) !== null),
    );
  });

  it('ignores hidden rows, and treats a hidden property as unknown', async () => {
    expect(await read({ $orderby: 'LINE/AMOUNT desc' }, keepers)).toEqual(sorted((no) => amountOf(no, true), true));
    for (const $orderby of ['CARRIER/RATE', 'round(CARRIER/RATE) desc']) {
      const hidden = await readFailure(odata.page(anybody, model, 'SHIPMENT', { $orderby }));
      expect(hidden?.code).toBe('KM_FIELD_NOTFOUND');
      const unknown = await readFailure(
        odata.page(anybody, model, 'SHIPMENT', { $orderby: $orderby.replace('RATE', 'RITE') }),
      );
      expect(JSON.stringify(hidden).replaceAll('RATE', 'RITE')).toBe(JSON.stringify(unknown));
    }
  });

  it('is refused with the position of a value that cannot be typed', async () => {
    expect(
      await readFailure(odata.page(anybody, model, 'SHIPMENT', { $orderby: 'NO, LINE_ORDER add 1' })),
    ).toMatchObject({
      code: 'KM_FILTER_TYPE',
      faults: [{ path: '$orderby', position: 4, message: expect.stringContaining('add takes an integer or a float') }],
    });
  });
});

/** Entries of the yard as the caller sees them; everybody knows by what they are related. */
const readYard = async (asker: typeof anybody) => {
  const rowsOf = async (record: string, by: typeof anybody): Promise<readonly Json[]> =>
    (await readJsonAnswer(odata.page(by, 'yard', record))).value;
  return {
    shipments: await rowsOf('SHIPMENT', asker),
    lines: await rowsOf('LINE', asker),
    carriers: await rowsOf('CARRIER', keepers),
  };
};
type Yard = Awaited<ReturnType<typeof readYard>>;

/** A condition on a shipment, in OData and in TypeScript; `outer` is the entry whose shipments are looked through. */
type Condition = { readonly text: string; readonly holds: (shipment: Json, outer: Json, yard: Yard) => boolean };

const lineOf = ({ LINE_ORDER, LINE_NO }: Json, { lines }: Yard): Json =>
  lines.find((line) => line.ORDER_NO === LINE_ORDER && line.LINE_NO === LINE_NO);

const atoms: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(fc.integer({ min: 2, max: 7 }), fc.nat({ max: 6 })).map(([by, rest]) => ({
    text: `s/NO mod ${by} eq ${rest}`,
    holds: ({ NO }: Json) => NO % by === rest,
  })),
  fc.constantFrom('A', 'B', 'C', 'a').map((order) => ({
    text: `'${order}' eq s/LINE_ORDER`,
    holds: ({ LINE_ORDER }: Json) => LINE_ORDER === order,
  })),
  fc.constantFrom(5, 30, 35).map((amount) => ({
    text: `s/LINE/AMOUNT gt ${amount}`,
    holds: (shipment: Json, _outer: Json, yard: Yard) => (lineOf(shipment, yard)?.AMOUNT ?? 0) > amount,
  })),
  fc.constant({
    text: 's/LINE/AMOUNT eq null',
    holds: (shipment: Json, _outer: Json, yard: Yard) => (lineOf(shipment, yard)?.AMOUNT ?? null) === null,
  }),
  fc.constant({
    text: "concat(s/LINE_ORDER,'x') ge concat(s/LINE/COMPANY,'x')",
    holds: (shipment: Json, _outer: Json, yard: Yard) => {
      const line = lineOf(shipment, yard);
      return line !== undefined && `${shipment.LINE_ORDER}x` >= `${line.COMPANY}x`;
    },
  }),
  fc.constant({
    text: 's/LINE/SHIPMENT/any(t:t/NO lt s/NO)',
    holds: (shipment: Json, _outer: Json, { shipments, lines }: Yard) => {
      const line = lineOf(shipment, { shipments, lines, carriers: [] });
      return shipments.some(
        (other) =>
          line !== undefined &&
          other.LINE_ORDER === line.ORDER_NO &&
          other.LINE_NO === line.LINE_NO &&
          other.NO < shipment.NO,
      );
    },
  }),
);

const conditions = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'condition' },
    atoms,
    tie('condition').map(({ text, holds }) => ({
      text: `not (${text})`,
      holds: (...row: Parameters<Condition['holds']>) => !holds(...row),
    })),
    fc.tuple(tie('condition'), fc.boolean(), tie('condition')).map(([left, isAnd, right]) => ({
      text: `(${left.text}) ${isAnd ? 'and' : 'or'} (${right.text})`,
      holds: (...row: Parameters<Condition['holds']>) =>
        isAnd ? left.holds(...row) && right.holds(...row) : left.holds(...row) || right.holds(...row),
    })),
  ),
})).condition;

describe('any and all', () => {
  it('are evaluated over the rows that the caller can see', async () => {
    for (const asker of [anybody, keepers]) {
      const yard = await readYard(asker);
      const shipmentsOf = {
        LINE: (line: Json) => yard.shipments.filter((each) => lineOf(each, { ...yard, lines: [line] })),
        CARRIER: (carrier: Json) => yard.shipments.filter(({ CARRIER_ID }) => CARRIER_ID === carrier.CODE),
      };
      const question = fc.record({
        record: fc.constantFrom('LINE' as const, 'CARRIER' as const),
        operator: fc.constantFrom('any', 'all'),
        isNegated: fc.boolean(),
        condition: conditions,
      });
      await fc.assert(
        fc.asyncProperty(question, async ({ record, operator, isNegated, condition }) => {
          const filter = `${isNegated ? 'not ' : ''}SHIPMENT/${operator}(s:${condition.text})`;
          const entries = record === 'LINE' ? yard.lines : yard.carriers;
          const keyOf = (entry: Json) => (record === 'LINE' ? [entry.ORDER_NO, entry.LINE_NO] : [entry.ID]);
          const expected = entries.filter((entry) => {
            const related = shipmentsOf[record](entry);
            const holds = (shipment: Json): boolean => condition.holds(shipment, entry, yard);
            return (operator === 'any' ? related.some(holds) : related.every(holds)) !== isNegated;
          });
          const answer = await readJsonAnswer(odata.page(asker, 'yard', record, { $filter: filter }));
          expect(answer.value.map(keyOf).toSorted()).toEqual(expected.map(keyOf).toSorted());
        }),
        { numRuns: getRandomRunCount() },
      );
    }
  });

  it('may compare related entries with properties of their own entry', async () => {
    const ask = async (filter: string) =>
      (await readJsonAnswer(odata.page(keepers, 'yard', 'LINE', { $filter: filter }))).value.map(
        ({ ORDER_NO, LINE_NO }: Json) => `${ORDER_NO}${LINE_NO}`,
      );
    // Shipment 2 is of line 1 of order A, shipment 3 of line 2 of order B.
    expect(await ask('SHIPMENT/any(s:s/NO sub LINE_NO eq 1)')).toEqual(['A1', 'B2']);
    expect(await ask('SHIPMENT/any()')).toEqual(['A1', 'A2', 'B1', 'B2']);
    expect(await ask('not SHIPMENT/any(s:s/CARRIER/RATE gt 1)')).toEqual([]);
  });

  it('make a hidden property indistinguishable from an unknown one', async () => {
    const ask = (filter: string) => readFailure(odata.page(anybody, 'yard', 'LINE', { $filter: filter }));
    for (const filter of ['SHIPMENT/any(s:s/CARRIER/RATE gt 1)', 'SHIPMENT/all(s:1 eq s/CARRIER/RATE)']) {
      const hidden = await ask(filter);
      expect(hidden?.code).toBe('KM_FIELD_NOTFOUND');
      const unknown = await ask(filter.replace('RATE', 'RITE'));
      expect(JSON.stringify(hidden).replaceAll('RATE', 'RITE')).toBe(JSON.stringify(unknown));
    }
  });

  it('see the rows of a new load of the related table', async () => {
    const filter = 'SHIPMENT/any(s:s/NO ge 60)';
    const count = async () =>
      (await readJsonAnswer(odata.page(anybody, 'yard', 'LINE', { $filter: filter }))).value.length;
    expect([await count(), await count()]).toEqual([0, 0]);
    const [shipment, ...others] = createShipmentTables();
    if (!shipment || typeof shipment.rows === 'string') throw new Error('There are no shipments.');
    const more = [{ no: 60, line_order: 'A', line_no: 1, carrier_id: 1 }];
    await fixture.load(team, { ...shipment, rows: [...shipment.rows, ...more] }, ...others);
    expect(await count()).toBe(1);
  });
});
