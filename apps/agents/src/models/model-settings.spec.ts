import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '@tessera/service-kit';
import { z } from 'zod';
import { modelSettingsShape } from './model-settings.js';

const read = (hosts?: unknown) =>
  readConfiguration(
    z.object(modelSettingsShape),
    hosts === undefined ? {} : { MODEL_HOSTS: typeof hosts === 'string' ? hosts : JSON.stringify(hosts) },
  );

describe('the hosts of language models', () => {
  it('are empty by default', () => {
    expect(read()).toEqual({ MODEL_HOSTS: {}, MODEL_SILENCE_SECONDS: 30 });
  });

  it('are read from JSON', () => {
    const hosts = {
      'llm.example': { teams: ['meridian'], address: 'http://10.0.0.7:8000', secrets: { LLM_KEY: 'a-long-secret' } },
      'other.example': { teams: ['meridian', 'northgate'] },
    };
    expect(read(hosts).MODEL_HOSTS).toEqual(hosts);
  });

  it.each<[unknown, RegExp]>([
    ['[', /a JSON object like/],
    [{ 'llm.example:443': { teams: ['a'] } }, /should be a host name/],
    [{ 'llm.example': {} }, /llm\.example\.teams should be a list of teams/],
    [{ 'llm.example': { teams: ['a'], address: 'http://10.9.8.7/v1' } }, /should be an address like/],
    [{ 'llm.example': { teams: ['a'], secrets: { KEY: 'short' } } }, /secrets\.KEY should be of at least 8 characters/],
    [{ 'llm.example': { teams: ['a'], secrets: { 'A-KEY': 'top-secret' } } }, /should be of letters, digits and _/],
    [{ 'llm.example': { teams: ['a'], secret: { KEY: 'top-secret' } } }, /llm\.example has no member secret/],
  ])('stop the start as %j, without a secret or an address', (hosts, expected) => {
    const stopped = () => read(hosts);
    expect(stopped).toThrow(expected);
    expect(stopped).not.toThrow(/top-secret|10\.9\.8\.7/);
  });
});
