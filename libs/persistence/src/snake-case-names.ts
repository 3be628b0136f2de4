import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils.js';

export class SnakeCaseNames extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snakeCase(propertyName);
  }

  override foreignKeyName(table: Table | string, columnNames: string[]): string {
    const name = typeof table === 'string' ? table : table.name;
    return [name.split('.').at(-1), ...columnNames, 'fkey'].join('_');
  }
}

/** Columns as a statement selects them: `key_id as "keyId"` for the property `keyId` of an entity. */
export const columnsOf = <Entity>(...properties: readonly (keyof Entity & string)[]): string =>
  properties.map((property) => `${snakeCase(property)} as "${property}"`).join(', ');
