import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  addressSetting,
  addressListSetting,
  commonSettingsSchema,
  ConfigurationError,
  databaseSettingsShape,
  booleanSetting,
  readableFileSetting,
  readConfiguration,
  wholeNumberSetting,
} from './configuration.js';

const messageOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
  }
  throw new Error('nothing was refused');
};

describe('configuration', () => {
  it('fills in every default', () => {
    expect(readConfiguration(commonSettingsSchema, {})).toEqual({
      NATS_URL: 'nats://127.0.0.1:4222',
      MANAGEMENT_HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      DRAIN_DELAY_MS: 0,
      STOP_TIMEOUT_MS: 4000,
      OTEL_TRACES_SAMPLER_ARG: 0,
    });
  });

  it('is frozen and holds only the typed values of its settings', () => {
    const configuration = readConfiguration(commonSettingsSchema, { MANAGEMENT_PORT: '9100', HOME: '/root' });
    expect(configuration.MANAGEMENT_PORT).toBe(9100);
    expect(Object.isFrozen(configuration)).toBe(true);
    expect(configuration).not.toHaveProperty('HOME');
  });

  it('treats an empty variable as absent and trims values', () => {
    const environment = { MANAGEMENT_PORT: '', LOG_LEVEL: ' ', MANAGEMENT_HOST: '::1\n', STOP_TIMEOUT_MS: ' 500 ' };
    const configuration = readConfiguration(commonSettingsSchema, environment);
    expect(configuration).toMatchObject({ LOG_LEVEL: 'info', MANAGEMENT_HOST: '::1', STOP_TIMEOUT_MS: 500 });
    expect(configuration.MANAGEMENT_PORT).toBeUndefined();
  });

  it('refuses settings that count for nothing, naming what would make them count', () => {
    const text = () => z.string('a text').optional();
    const schema = z.object({
      KEYS: text(),
      SECRET: text(),
      ISSUER: text().meta({ onlyWith: ['KEYS', 'SECRET'] }),
      CLAIM: text()
        .default('team')
        .meta({ onlyWith: ['KEYS'] }),
      CLIENTS: text().meta({ onlyWithout: ['KEYS'] }),
    });
    const { KEYS, SECRET, ISSUER, CLIENTS } = { KEYS: 'k', SECRET: 'top-secret', ISSUER: 'top-secret', CLIENTS: 'c' };
    expect(readConfiguration(schema, { CLIENTS })).toEqual({ CLIENTS, CLAIM: 'team' });
    expect(readConfiguration(schema, { ISSUER, SECRET })).toMatchObject({ ISSUER, CLAIM: 'team' });
    expect(readConfiguration(schema, { ISSUER: ' ' })).toEqual({ CLAIM: 'team' });
    expect(messageOf(() => readConfiguration(schema, { ISSUER, CLAIM: 'x', CLIENTS })).split('\n')).toEqual([
      'ISSUER is set and counts for nothing; expected KEYS or SECRET beside it, or neither',
      'CLAIM is set and counts for nothing; expected KEYS beside it, or neither',
    ]);
    expect(messageOf(() => readConfiguration(schema, { KEYS, CLIENTS }))).toBe(
      'CLIENTS is set and counts for nothing; expected it without KEYS',
    );
  });

  it('names every wrong and missing variable at once, without its value', () => {
    const schema = commonSettingsSchema.extend(databaseSettingsShape);
    const message = messageOf(() => readConfiguration(schema, { MANAGEMENT_PORT: 'my-secret', LOG_LEVEL: 'loud' }));
    expect(message.split('\n')).toEqual([
      'MANAGEMENT_PORT is wrong; expected a whole number from 1 to 65535',
      'LOG_LEVEL is wrong; expected one of trace, debug, info, warn, error, fatal, silent',
      'DATABASE_URL is missing; expected an address that begins with postgres:// or postgresql://',
    ]);
  });

  it.each([
    [wholeNumberSetting(1, 10), ['1', '10', '007'], ['0', '11', '-1', '1.5', '1e1', '0x5', ' 5', 'five', '']],
    [booleanSetting(), ['true', 'false'], ['1', 'yes', 'TRUE', '']],
    [addressSetting('http', 'https'), ['http://a', 'https://a:1/b'], ['ftp://a', 'a', '//a', '']],
    [readableFileSetting('a file'), [fileURLToPath(import.meta.url)], ['/nowhere/ca.pem', '']],
    [addressListSetting('nats'), ['nats://a', 'nats://a:4222, nats://b'], ['nats://a,http://b', ',', '']],
  ] as const)('rejects malformed values (case %#)', (schema: z.ZodType, right, wrong) => {
    for (const text of right) expect([text, schema.safeParse(text).success]).toEqual([text, true]);
    for (const text of wrong) expect([text, schema.safeParse(text).success]).toEqual([text, false]);
  });
});
