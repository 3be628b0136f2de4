import { describe, expect, it } from '@jest/globals';
import { chooseFormat } from './generate-spec.handler.js';

describe('the format of a specification', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/json', 'json'],
    ['application/yaml', 'yaml'],
    ['application/x-yaml', 'yaml'],
    ['TEXT/YAML; charset=utf-8', 'yaml'],
    ['text/x-yaml', 'yaml'],
    ['text/*', 'yaml'],
    ['application/json, application/yaml', 'json'],
    ['application/yaml, application/json', 'json'],
    ['application/yaml, application/json;q=0.9', 'yaml'],
    ['application/json;q=0.5, text/yaml;q=0.6', 'yaml'],
    ['application/yaml;q=0.1, */*;q=0.2', 'json'],
    ['application/json;q=0, */*', 'yaml'],
    ['application/yaml;q=0', 'json'],
    ['application/yaml;q=2', 'json'],
    ['application/yaml;q=', 'json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'json'],
    ['text/html', 'json'],
    [', ;;, yaml', 'json'],
  ])('for Accept %s is %s', (accept, format) => {
    expect(chooseFormat(accept)).toBe(format);
  });
});
