/** Tables as a ClickHouse has them, of one column `id bigint` each: what replicas make, publish, find and drop there. */
import type { ClickhouseAnswer, ClickhouseCall } from './fake-clickhouse.js';

type FakeTable = { comment: string; csv: string; isOld: boolean };

export class FakeClickhouseTables {
  readonly tables = new Map<string, FakeTable>();

  /** Names of tables that may be asked. */
  get published(): readonly string[] {
    return [...this.tables].flatMap(([name, { comment }]) => (comment === '' ? [] : [name])).sort();
  }

  answer({ query, body, fields }: ClickhouseCall): ClickhouseAnswer {
    const [, verb = '', rest = ''] =
      /^(\w+ (?:table (?:if exists )?|into |cast\(count\(\)|name, comment)?)([^]*)$/i.exec(query) ?? [];
    const [name = ''] = /^\w+/.exec(rest) ?? [];
    switch (verb.trim().toLowerCase()) {
      case 'create table':
        this.tables.set(name, { comment: '', csv: '', isOld: false });
        return '';
      case 'drop table if exists':
        this.tables.delete(name);
        return '';
      case 'alter table':
        this.#of(name).comment = (/modify comment '([^]*)'$/.exec(rest)?.[1] ?? '').replaceAll(/\\([^])/g, '$1');
        return '';
      case 'insert into':
        this.#of(name).csv = body;
        return '';
      case 'select cast(count()':
        return this.#count(/ from (\w+)/.exec(rest)?.[1] ?? '');
      default:
        return this.#list(query, fields.get('param_p0'));
    }
  }

  #of(name: string): FakeTable {
    const table = this.tables.get(name);
    if (!table) throw new Error(`There is no table ${name}.`);
    return table;
  }

  #count(name: string): string {
    const ids = this.#of(name)
      .csv.split('\r\n')
      .flatMap((line) => line.split(',').slice(1));
    const sum = ids.reduce((total, id) => total + Number(id), 0);
    return `${JSON.stringify([ids.length, ids.length, sum].map(String))}\n`;
  }

  #list(query: string, parameter: string | undefined): string {
    const isListed = (name: string, { comment, isOld }: FakeTable): boolean => {
      if (query.includes(`comment = ''`)) return comment === '' && isOld;
      if (comment === '' || parameter === undefined) return comment !== '';
      return query.includes('name = {p0') ? name === parameter : comment.includes(`"team":"${parameter}"`);
    };
    return [...this.tables]
      .flatMap(([name, table]) => (isListed(name, table) ? [`${JSON.stringify([name, table.comment])}\n`] : []))
      .join('');
  }
}
