/** Random schemas and values, reproducible. */
import type { JsonObject } from '../../models/model.js';

type Random = (below: number) => number;

/** Numbers from 0 to below. */
export const createRandom = (seed: number): Random => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const pick = <T>(random: Random, items: readonly [T, ...T[]]): T => items[random(items.length)] ?? items[0];

const keywords: readonly [string, ...string[]] = [
  ...(['type', 'type', 'type', 'const', 'enum', 'properties', 'required', 'additionalProperties'] as const),
  ...['patternProperties', 'propertyNames', 'items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'minLength'],
  ...['pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'allOf', 'anyOf', 'oneOf'],
  ...['not', 'ways', 'dependentRequired', 'dependentSchemas', 'maxProperties'],
];
const types = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;
const names = ['a', 'b', 'xa'] as const;

export const randomSchema = (random: Random, depth = 3): JsonObject =>
  Object.fromEntries(
    Array.from({ length: depth === 0 ? 1 : 1 + random(3) }, () => {
      const keyword = pick(random, keywords);
      const value = () => valueFor(random, keyword, Math.max(0, depth - 1));
      return keyword === 'ways' ? ['if', 'then', 'else'].map((way) => [way, value()]) : [[keyword, value()]];
    }).flat(),
  );

const valueFor = (random: Random, keyword: string, depth: number): unknown => {
  const inner = (): unknown => (depth === 0 ? random(4) > 0 : randomSchema(random, depth));
  const list = (): readonly unknown[] => Array.from({ length: 1 + random(3) }, inner);
  switch (keyword) {
    case 'type':
      return random(3) > 0 ? pick(random, types) : [...new Set([pick(random, types), pick(random, types)])];
    case 'const':
      return randomValue(random, 1);
    case 'enum':
      return [randomValue(random, 1), randomValue(random, 1)];
    case 'required':
      return [...new Set([pick(random, names), pick(random, names)])];
    case 'properties':
    case 'dependentSchemas':
      return { [pick(random, names)]: inner(), [pick(random, names)]: inner() };
    case 'patternProperties':
      return { '^x': inner() };
    case 'dependentRequired':
      return { [pick(random, names)]: [pick(random, names)] };
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'prefixItems':
      return list();
    case 'pattern':
      return 'a';
    case 'multipleOf':
      return 1 + random(3);
    default:
      return /^(?:min|max|exclusive)/.test(keyword) ? random(3) : inner();
  }
};

export const randomValue = (random: Random, depth = 2): unknown => {
  switch (random(depth === 0 ? 5 : 9)) {
    case 0:
      return null;
    case 1:
      return random(2) === 0;
    case 2:
      return random(4);
    case 3:
      return random(8) / 2;
    case 4:
      return pick(random, ['', 'a', 'xa', 'bb']);
    case 5:
    case 6:
      return Array.from({ length: random(4) }, () => randomValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random(4) }, () => [pick(random, names), randomValue(random, depth - 1)]),
      );
  }
};
