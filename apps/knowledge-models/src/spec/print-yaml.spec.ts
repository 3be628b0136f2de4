import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { printYaml } from './print-yaml.js';

describe('data as YAML', () => {
  it('has a line for each member and entry', () => {
    const value = {
      openapi: '3.0.3',
      servers: [{ url: 'https://a.example', variables: {} }],
      security: [{ bearer: [] }, { appKey: ['a', 'b'] }],
      nested: [[1, 2], [{ a: null }], []],
      'x-y': { deep: { deeper: true } },
    };
    expect(printYaml(value)).toBe(`openapi: "3.0.3"
servers:
  - url: "https://a.example"
    variables: {}
security:
  - bearer: []
  - appKey:
      - a
      - b
nested:
  -
    - 1
    - 2
  -
    - a: null
  - []
x-y:
  deep:
    deeper: true
`);
    expect(parse(printYaml(value))).toEqual(value);
  });

  const texts = [
    ...['', ' ', 'plain', 'with words', ' lead', 'trail ', 'true', 'No', 'null', '~', '12', '1e3', '0x1F', '-', '- a'],
    ...['a: b', 'a #b', 'a:', '#a', '"q"', "it's", '{a}', '[a]', '&a', '*a', '!a', '|', '>', '%', '@', '`', '?', '? a'],
    ...[
      '2026-01-31',
      '08:30',
      'line\nbreak',
      'tab\t',
      '\\',
      '\u0000',
      '\u007f',
      '\u0085',
      '\u00a0',
      '\u2028',
      '\ufeff',
    ],
    ...['äöü', '名前', '😀', '\ud83d', '=', '<<', 'a, b', 'a]', 'a}', '---', '...', "'; drop table x; --", '<script>'],
  ];
  it.each(texts.map((text) => [JSON.stringify(text), text]))('represents %s as value, key and entry', (_, text) => {
    const value = { [text === '' ? 'empty' : text]: text, list: [text, { [`k${text}`]: [text] }] };
    expect(parse(printYaml(value))).toEqual(value);
    expect(parse(printYaml(text))).toBe(text);
  });

  it('leaves out undefined members, as JSON does', () => {
    expect(printYaml({ a: undefined, b: 1 })).toBe('b: 1\n');
    expect([printYaml({}), printYaml([]), printYaml(null), printYaml(-1.5)]).toEqual([
      '{}\n',
      '[]\n',
      'null\n',
      '-1.5\n',
    ]);
  });
});
