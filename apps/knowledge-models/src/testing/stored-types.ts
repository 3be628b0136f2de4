/** Two values of every type that PostgreSQL stores, and of types that a database makes for itself, as literals of SQL. */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { quoteIdentifier } from '@tessera/sql';

type StoredTypeCase = {
  /** As SQL spells it, with a length where it needs one. */
  readonly type: string;
  /** Different ones; none where PostgreSQL takes none from people. */
  readonly values: readonly string[];
  readonly field: ValueType;
  readonly hasNoNulls?: boolean;
};

/** Types of `pg_catalog` by their `typname`. */
const valuesByType: Readonly<Record<string, readonly string[]>> = {
  aclitem: ['=r/postgres', 'postgres=arwdDxtm/postgres'],
  bit: ['1', '0'],
  bool: ['true', 'false'],
  box: ['(2,2),(1,1)', '(4,3),(3,1)'],
  bpchar: ['DE', 'It'],
  bytea: ['\\x61ff', '\\x00'],
  char: ['a', 'B'],
  cid: ['1', '10'],
  cidr: ['10.1.0.0/16', '192.168.7.0/24'],
  circle: ['<(1,2),3>', '<(1,2),4>'],
  date: ['2024-02-29', 'infinity'],
  datemultirange: ['{[2024-01-01,2024-02-01)}', '{}'],
  daterange: ['[2024-01-01,2024-02-01)', 'empty'],
  float4: ['0.1', 'NaN'],
  float8: ['0.1', '-infinity'],
  gtsvector: [],
  inet: ['10.0.0.9', '10.0.0.10/8'],
  int2: ['7', '-12'],
  int2vector: ['1 2', '3'],
  int4: ['7', '-12'],
  int4multirange: ['{[1,3),[7,9)}', '{}'],
  int4range: ['[1,3)', 'empty'],
  int8: ['9007199254740993', '-12'],
  int8multirange: ['{[1,3)}', '{[2,4)}'],
  int8range: ['[1,3)', '[2,4)'],
  interval: ['1 year 2 mons 3 days 04:05:06', '30 days'],
  json: ['{"a":  1}', '[1, 2]'],
  jsonb: ['{"a": 1.0}', '["x,y"]'],
  jsonpath: ['$."a"', '$."b"[*]'],
  line: ['{1,2,3}', '{4,5,6}'],
  lseg: ['[(1,2),(3,4)]', '[(1,2),(3,5)]'],
  macaddr: ['08:00:2b:01:02:03', '08:00:2b:01:02:0a'],
  macaddr8: ['08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03:04:0a'],
  money: ['1234.50', '-0.07'],
  name: ['Zoe', 'anna'],
  numeric: ['12345678901234567890.123456789012345678901234567890', 'NaN'],
  nummultirange: ['{[1.0,2.50)}', '{}'],
  numrange: ['[1.0,2.50)', '(,7]'],
  oid: ['9', '4294967295'],
  oidvector: ['1 2', '3'],
  path: ['[(1,2),(3,4)]', '((1,2),(3,4))'],
  pg_brin_bloom_summary: [],
  pg_brin_minmax_multi_summary: [],
  pg_dependencies: [],
  pg_lsn: ['16/B374D848', '9/1'],
  pg_mcv_list: [],
  pg_ndistinct: [],
  pg_node_tree: [],
  pg_snapshot: ['10:20:10,14,15', '1:2:'],
  point: ['(1,2)', '(1.5,-2)'],
  polygon: ['((1,2),(3,4))', '((1,2),(3,5))'],
  refcursor: ['rows', 'Columns'],
  regclass: ['pg_class', 'pg_type'],
  regcollation: ['"C"', '"POSIX"'],
  regconfig: ['english', 'simple'],
  regdictionary: ['english_stem', 'simple'],
  regnamespace: ['pg_catalog', 'information_schema'],
  regoper: ['|/', '||/'],
  regoperator: ['+(integer,integer)', '-(NONE,integer)'],
  regproc: ['pg_table_size', 'now'],
  regprocedure: ['abs(integer)', 'now()'],
  regrole: ['pg_monitor', 'pg_read_all_data'],
  regtype: ['integer', 'text'],
  text: ["it's", 'Äpfel'],
  tid: ['(0,1)', '(0,10)'],
  time: ['23:59:59.5', '24:00:00'],
  timestamp: ['2024-02-29 23:59:59.5', 'infinity'],
  timestamptz: ['2024-02-29 23:59:59.5+00', '-infinity'],
  timetz: ['12:00:00+02', '11:00:00+01'],
  tsmultirange: ['{["2024-01-01 00:00:00","2024-01-02 00:00:00")}', '{}'],
  tsquery: ["'cat' & 'rat'", "'dog'"],
  tsrange: ['["2024-01-01 00:00:00","2024-01-02 00:00:00")', 'empty'],
  tstzmultirange: ['{["2024-01-01 00:00:00+00","2024-01-02 00:00:00+00")}', '{}'],
  tstzrange: ['["2024-01-01 00:00:00+00","2024-01-02 00:00:00+00")', 'empty'],
  tsvector: ["'cat':1 'rat':2", "'dog':3A"],
  txid_snapshot: ['10:20:10,14,15', '1:2:'],
  uuid: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '0b1f6f0e-0000-4000-8000-00000000000a'],
  varbit: ['101', '10'],
  varchar: ['long', 'Short'],
  xid: ['3', '20'],
  xid8: ['3', '20'],
  xml: ['<a>1</a>', '<b/>'],
};

const fields: Readonly<Record<string, ValueType>> = {
  bool: 'boolean',
  date: 'date',
  float4: 'float',
  float8: 'float',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  money: 'float',
  numeric: 'float',
  oid: 'integer',
  time: 'time',
  timestamp: 'datetime',
  timestamptz: 'timestamp',
};

/** More types of `pg_catalog`, by their names. */
export const systemTypeCases: readonly (StoredTypeCase & { readonly name: string })[] = Object.entries(
  valuesByType,
).map(([name, values]) => ({
  name,
  type: name === 'bpchar' ? 'char(5)' : `pg_catalog.${quoteIdentifier(name)}`,
  values,
  field: fields[name] ?? 'string',
}));

/** Types of a database itself, and what makes them. */
export const ownTypesText = (schema: string): string => {
  const own = (name: string): string => `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
  return `create extension citext; create extension hstore; create extension ltree;
    create type ${own('Mood "x"')} as enum ('so so', 'Bad', 'good''s');
    create type ${own('Place')} as (street text, "No" integer);
    create type ${own('floats')} as range (subtype = float8);
    create domain ${own('Code')} as text check (value ~ '^[A-Z]');
    create domain ${own('Id')} as uuid not null;
    create domain ${own('Humour')} as ${own('Mood "x"')};
    create domain ${own('Address')} as citext;
    create domain ${own('Places')} as ${own('Place')}[];
    create domain ${own('Price')} as numeric(10, 2);
    create domain ${own('Dear')} as ${own('Price')} check (value > 1);`;
};

export const ownTypeCases = (schema: string): readonly StoredTypeCase[] => {
  const own = (name: string): string => `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
  const uuids = ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '0b1f6f0e-0000-4000-8000-00000000000a'];
  const field = 'string';
  return [
    { field, type: 'citext', values: ['Open', 'shut'] },
    { field, type: 'hstore', values: ['"a"=>"1", "b"=>NULL', ''] },
    { field, type: 'ltree', values: ['Top.Science', 'Top'] },
    { field, type: own('Mood "x"'), values: ['so so', "good's"] },
    { field, type: own('Place'), values: ['("Main, St",7)', '(,)'] },
    { field, type: own('floats'), values: ['[0.1,2)', 'empty'] },
    { field, type: own('floats_multirange'), values: ['{[0.1,2)}', '{}'] },
    { field, type: own('Code'), values: ['X1', 'Y'] },
    { field, type: own('Id'), values: uuids, hasNoNulls: true },
    { field, type: own('Humour'), values: ['so so', "good's"] },
    { field, type: own('Address'), values: ['Open', 'shut'] },
    { field, type: own('Places'), values: ['{"(\\"Main, St\\",7)"}', '{}'] },
    { field: 'float', type: own('Price'), values: ['1.50', 'NaN'] },
    { field: 'float', type: own('Dear'), values: ['10.25', '7.00'] },
    { field, type: 'text[]', values: ['{"a,b",NULL}', '{}'] },
    { field, type: 'integer[]', values: ['{{1,2},{3,4}}', '{5}'] },
    { field, type: `${own('Mood "x"')}[]`, values: ['{"so so",Bad}', '{}'] },
    { field, type: 'bit(3)', values: ['101', '010'] },
    { field: 'float', type: 'numeric(1000,500)', values: ['0.5', '1e400'] },
  ];
};
