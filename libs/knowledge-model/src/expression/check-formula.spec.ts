import { describe, expect, it } from '@jest/globals';
import { checkSampleFormula, faultsOfSampleFormula, typeCheckSampleFormula } from '../testing/sample-model.js';

describe('the formula of a field', () => {
  it.each([
    ['1', 'integer', false],
    ['1.0', 'float', false],
    ['QTY + 1', 'integer', true],
    ['ID + 1', 'integer', false],
    ['ID / 2', 'float', false],
    ['ID / ID', 'float', true],
    ['ID % 2.5', 'float', false],
    ['- AMOUNT', 'float', true],
    ['-null', 'integer', true],
    ["ORDER_NO || 'x'", 'string', false],
    ['ID = 1 and ORDER_NO is null', 'boolean', false],
    ['QTY = null', 'boolean', true],
    ['DAY + 1', 'date', true],
    ['7 + DAY', 'date', true],
    ['DAY - DAY', 'integer', true],
    ["DAY + interval '2 hours'", 'datetime', true],
    ["interval '1 week' + MOMENT", 'timestamp', true],
    ['extract(epoch from (MOMENT - DAY))', 'float', true],
    ['extract(day from (AT - AT))', 'integer', true],
    ['coalesce(QTY, 0)', 'integer', false],
    ['coalesce(QTY, 0.5)', 'float', false],
    ['coalesce(DAY, AT)', 'datetime', true],
    ["coalesce(DAY, '2026-05-07')", 'date', false],
    ['nullif(ID, 0)', 'integer', true],
    ['least(DAY, MOMENT)', 'timestamp', true],
    ['case when OPEN then 1 else 2.5 end', 'float', false],
    ['case when OPEN then 1 end', 'integer', true],
    ["case DAY when '2026-05-07' then true end", 'boolean', true],
    ['case when true then null else ID end', 'integer', true],
    ['cast(null as date)', 'date', true],
    ['cast(ID as string)', 'string', false],
    ['cast(ID as integer)', 'integer', false],
    ['cast(ORDER_NO as integer)', 'integer', true],
    ["date_trunc('week', MOMENT)", 'timestamp', true],
    ['year(AT)', 'integer', true],
    ['round(AMOUNT)', 'integer', true],
    ['round(AMOUNT, 2)', 'float', true],
    ['abs(QTY)', 'integer', true],
    ['concat(ID, DAY, null)', 'string', false],
    ['length(ORDER_NO)', 'integer', false],
    ['DATE is null', 'fault', true],
    ['ITEM.ID', 'integer', false],
  ])('%s has the type %s and nullable %s', (text, type, nullable) => {
    if (type === 'fault') return expect(faultsOfSampleFormula(text, 'ITEM')).toHaveLength(1);
    expect(typeCheckSampleFormula(text, 'ITEM')).toMatchObject({ type, nullable });
  });

  it.each([
    ["replace(NAME, 'a', ORDER_NO)", ["19: replace needs a written text to put in, e.g. ''."]],
    ['AMUONT + 1', ['0: Unknown field "AMUONT" of ITEM. Did you mean AMOUNT?']],
    ['amount', ['0: Unknown field "amount" of ITEM. Did you mean AMOUNT?']],
    ['ORDER.COUNTRY', ['0: A formula of ITEM reads fields of ITEM only, not of "ORDER".']],
    ['ITM.QTY', ['0: A formula of ITEM reads fields of ITEM only, not of "ITM". Did you mean ITEM?']],
    ['QTY + NAME', ['6: An integer + a string means nothing. Texts are joined by ||.']],
    ['QTY || NAME', ['7: An integer || a string means nothing.']],
    ['DAY + DAY', ['6: A date + a date means nothing.']],
    ['DAY * 2', ['6: A date * an integer means nothing.']],
    ['DAY + 1.5', ['6: A date + a float means nothing.']],
    ['-NAME', ['0: A sign needs a number, but this is a string.']],
    ['not QTY', ['4: not needs a boolean, but this is an integer.']],
    ['OPEN and NAME', ['9: and needs a boolean, but this is a string.']],
    ['QTY = NAME', ['6: This is a string, which does not go with an integer before it.']],
    ['OPEN > false', ['7: Booleans have no order; expected = or <>, not >.']],
    ['OPEN between false and true', ['0: Booleans have no order, so nothing is between them.']],
    ["DAY = '2026-02-30'", ["6: This is no date; expected e.g. '2026-05-07'."]],
    ["date '7.5.2026'", ["0: This is no date; expected e.g. date '2026-05-07'."]],
    ["DAY + interval 'three days'", ["6: This is no interval; expected e.g. interval '3 days'."]],
    ["AT - interval '1 day' > DAY and CLOCK < '25:00'", ["40: This is no time; expected e.g. '08:30:00'."]],
    ['QTY in (1, ID)', ['11: A list holds written values only; compare with = and or.']],
    ['QTY in (1, null)', ['11: A list holds no null, which equals nothing; write "is null".']],
    ["QTY in (1, 'a')", ['11: This is a string, which does not go with an integer before it.']],
    ['NAME like ORDER_NO', ["10: like needs a written text, e.g. 'A%'."]],
    ["NAME like 'a\\'", ['10: The pattern ends in an escape (\\) that escapes nothing.']],
    ['QTY like 1', ['0: like needs a string, but this is an integer.', "9: like needs a written text, e.g. 'A%'."]],
    ['case when QTY then 1 end', ['10: when needs a boolean, but this is an integer.']],
    ["case when OPEN then 1 else 'x' end", ['27: This is a string, which does not go with an integer before it.']],
    ["case QTY when 'a' then 1 end", ['14: This is a string, which does not go with an integer before it.']],
    ['cast(OPEN as date)', ['0: A boolean cannot become a date; it can become string, integer.']],
    ['cast(AT - DAY as string)', ['0: An interval cannot become a string; extract(epoch from ...) gives its seconds.']],
    ['AT - DAY', ['0: An interval is no value of a field; extract(epoch from ...) gives its seconds.']],
    ['null', ['0: The type of null is not known; write cast(null as string).']],
    [
      'extract(hour from DAY)',
      ['18: A date has no hour; it has year, isoyear, quarter, month, week, day, isodow, doy, epoch.'],
    ],
    ['year(QTY)', ['5: An integer has no year.']],
    [
      "date_trunc('moth', DAY)",
      ["11: date_trunc needs one of 'year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second' first."],
    ],
    ["date_trunc('day', CLOCK)", ['18: date_trunc needs a date, datetime or timestamp, but this is a time.']],
    ['lenght(NAME)', ['0: Unknown function "lenght". Did you mean length?']],
    [
      'pg_sleep(1)',
      [expect.stringMatching(/^0: Unknown function "pg_sleep"; expected one of abs, floor, .*date_trunc\.$/)],
    ],
    ['substring(NAME)', ['0: substring takes 2 to 3 arguments, but there are 1.']],
    ['nullif(1)', ['0: nullif takes 2 arguments, but there are 1.']],
    ['coalesce()', ['0: coalesce takes at least 1 arguments, but there are 0.']],
    ['lower(QTY)', ['6: lower needs a string, but this is an integer.']],
    ['abs(NAME)', ['4: abs needs a number, but this is a string.']],
    ['round(AMOUNT, QTY)', ['14: round needs a written number of decimal places, 0 to 20.']],
    ['greatest(OPEN, false)', ['0: Booleans have no order, so there is no greatest of them.']],
    ['concat(AT - AT)', ['7: An interval has no text.']],
    ['sum(QTY)', ['0: sum makes one value of many rows; that is for KPIs, a field has a value per row.']],
    ['ITEM.*', ['0: Rows can only be counted: count(ITEM.*).']],
    [':limit', ['0: Unknown parameter "limit".']],
  ])('refuses %s', (text, faults) => {
    expect(faultsOfSampleFormula(text, 'ITEM')).toEqual(faults);
  });

  it('reports each fault once, without its consequences', () => {
    expect(
      faultsOfSampleFormula(
        "case when NO_SUCH + 1 > 2 then lower(QTY) else nosuch(NAME) end = 'x' and not DAY",
        'ITEM',
      ),
    ).toEqual([
      '10: Unknown field "NO_SUCH" of ITEM.',
      '37: lower needs a string, but this is an integer.',
      expect.stringContaining('47: Unknown function "nosuch"'),
      '78: not needs a boolean, but this is a date.',
    ]);
  });
});

describe('the formula of a KPI', () => {
  it.each([
    ['sum(ITEM.QTY)', 'integer', true, ['ITEM']],
    ['avg(ITEM.QTY)', 'float', true, ['ITEM']],
    ['count(ITEM.NAME)', 'integer', false, ['ITEM']],
    ['count(distinct ORDER.COUNTRY)', 'integer', false, ['ORDER']],
    ['min(ITEM.DAY)', 'date', true, ['ITEM']],
    ['max(ITEM.SIZE)', 'string', true, ['ITEM']],
    ['count(ITEM.*) filter (where ITEM.SMALL)', 'integer', false, ['ITEM']],
    ["sum(ITEM.AMOUNT) filter (where ORDER.COUNTRY = 'DE')", 'float', true, ['ITEM', 'ORDER']],
    ['sum(ITEM.AMOUNT) / count(ORDER.*)', 'float', true, ['ITEM', 'ORDER']],
    ['max(ORDER.date) - min(ITEM.DAY)', 'integer', true, ['ORDER', 'ITEM']],
  ])('%s has the type %s, nullable %s and the grain %j', (text, type, nullable, records) => {
    const checked = checkSampleFormula(text);
    expect(checked.ok && checked.formulas.kpis.get('TRIED')).toMatchObject({ formula: { type, nullable }, records });
  });

  it('determines the grain of each aggregate', () => {
    expect(
      typeCheckSampleFormula("sum(ITEM.AMOUNT) filter (where ORDER.COUNTRY = 'DE') / count(ORDER.*)"),
    ).toMatchObject({
      kind: 'kpi',
      formula: { left: { records: ['ITEM', 'ORDER'] }, right: { records: ['ORDER'] } },
    });
  });

  it.each([
    ['ITEM.AMOUNT', '0: ITEM.AMOUNT is not aggregated; write e.g. sum(ITEM.AMOUNT).'],
    ['sum(ITEM.AMOUNT) / ITEM.NAME', '19: ITEM.NAME is not aggregated; write e.g. count(ITEM.NAME).'],
    ['sum(ITEM.AMOUNT / avg(ITEM.QTY))', '18: An aggregate cannot stand inside another one.'],
    ['sum(ITEM.QTY) filter (where count(ITEM.*) > 1)', '28: An aggregate cannot stand inside another one.'],
    ['1', '0: A KPI aggregates: it has at least one of sum, avg, min, max, count, or names another KPI.'],
    ['sum(1)', '0: This aggregate reads no field, so it is not known which rows it is over.'],
    ['sum(ITEM.NAME)', '4: There is no sum of a string.'],
    [
      'avg(ITEM.OPEN)',
      '4: There is no avg of a boolean. The rows for which it holds are counted by count(RECORD.*) filter (where ...).',
    ],
    ['sum(distinct ITEM.QTY)', '0: distinct is for count; sum takes every row.'],
    ['sum(ITEM.*)', '4: Rows can only be counted: count(ITEM.*).'],
    ['count(distinct ITEM.*)', '15: Rows can only be counted: count(ITEM.*).'],
    ['count(ITEMS.*)', '6: Unknown record "ITEMS". Did you mean ITEM?'],
    ['sum(ITEMS.QTY)', '4: Unknown record "ITEMS". Did you mean ITEM?'],
    ['sum(ITEM.QYT)', '4: Unknown field "QYT" of ITEM. Did you mean QTY?'],
    ['sum(QTY)', '4: Unknown KPI "QTY". The field is written ITEM.QTY.'],
    ['sum(ORDER_NO)', '4: Unknown KPI "ORDER_NO". The field is written ITEM.ORDER_NO or ORDER.ORDER_NO.'],
    ['TRIDE', '0: Unknown KPI "TRIDE". Did you mean TRIED?'],
    ['count(ITEM.*) filter (where ITEM.QTY)', '28: filter needs a boolean, but this is an integer.'],
  ])('refuses %s', (text, fault) => {
    expect(faultsOfSampleFormula(text)).toEqual([fault]);
  });
});
