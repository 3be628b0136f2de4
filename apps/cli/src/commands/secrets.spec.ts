import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@tessera/local-stack';
import { databaseServiceNames } from '@tessera/persistence/migrate';
import { parseAllDocuments } from 'yaml';
import { readMigrationVariables } from '../operations/database-variables.js';
import { services } from '../operations/secret-names.js';
import { linesOf, runTessera } from '../testing/run-tessera.js';

const pairsOf = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(linesOf(out).map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]));

describe('tessera secrets', () => {
  it('prints environment lines that migrate accepts, new each time', async () => {
    const { exitCode, out, err } = await runTessera(['secrets']);
    expect(exitCode).toBe(0);
    expect(linesOf(err)).toHaveLength(1);
    const { ADMIN_KEY, ...passwords } = pairsOf(out);
    expect(Object.keys(passwords)).toEqual([
      'POSTGRES_PASSWORD',
      ...['GATEWAY', 'CONTENT_REPO', 'TOOL_GATEWAY', 'AGENTS', 'KNOWLEDGE_MODELS'].map((s) => `DATABASE_PASSWORD_${s}`),
      ...['GATEWAY', 'CONTENT_REPO', 'TOOL_GATEWAY', 'AGENTS', 'KNOWLEDGE_MODELS'].map((s) => `NATS_PASSWORD_${s}`),
      'NATS_PASSWORD_OPERATOR',
    ]);
    // A nats-server would take a number for one.
    for (const password of Object.values(passwords)) expect(password).toMatch(/^[a-z][A-Za-z0-9_-]{43}$/);
    expect(new Set(Object.values(passwords)).size).toBe(12);
    expect(readMigrationVariables({ DATABASE_URL: 'postgres://a@b/c', ADMIN_KEY, ...passwords })).toMatchObject({
      ok: true,
    });
    const again = pairsOf((await runTessera(['secrets', '--format', 'env'])).out);
    for (const [name, value] of Object.entries(passwords)) expect(again[name]).not.toBe(value);
  });

  it('prints Kubernetes manifests', async () => {
    const { out } = await runTessera(['secrets', '--format', 'kubernetes', '--namespace', 'trial']);
    const manifests: readonly unknown[] = parseAllDocuments(out).map((document): unknown => document.toJS());
    const text = expect.stringMatching(/^[A-Za-z0-9_-]{44,}$/);
    const manifest = (name: string, ...keys: readonly string[]) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'trial', labels: { 'app.kubernetes.io/part-of': 'tessera' } },
      type: 'Opaque',
      stringData: Object.fromEntries(keys.map((key) => [key, text])),
    });
    expect(manifests).toEqual([
      ...services.map((service) => manifest(`tessera-${service}`, 'DATABASE_PASSWORD', 'NATS_PASSWORD')),
      manifest('tessera-admin', 'ADMIN_KEY'),
      manifest('tessera-nats', 'NATS_PASSWORD_OPERATOR'),
      manifest('tessera-postgres', 'POSTGRES_PASSWORD'),
    ]);
    expect((await runTessera(['secrets', '--format', 'kubernetes'])).out).toContain('namespace: tessera\n');
  });

  it('prints secrets for every service with a database or a NATS user', () => {
    expect([...services].sort()).toEqual([...serviceNames].sort());
    expect([...services].sort()).toEqual([...databaseServiceNames].sort());
  });

  it.each([
    [['--namespace', 'x'], '--namespace: expected only with --format kubernetes.'],
    [['--format', 'kubernetes', '--namespace', 'A b'], '--namespace: expected lower-case letters'],
    [['--format', 'xml'], 'Allowed choices are env, kubernetes'],
  ])('rejects %j', async (words, message) => {
    const { exitCode, out, err } = await runTessera(['secrets', ...words]);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
