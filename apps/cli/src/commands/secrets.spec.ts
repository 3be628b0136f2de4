import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@tessera/local-stack';
import { databaseServiceNames } from '@tessera/persistence/migrate';
import { parseAllDocuments } from 'yaml';
import { readMigrationVariables } from '../operations/database-variables.js';
import { platformServices } from '../operations/secret-names.js';
import { nonEmptyLines, runTessera } from '../testing/run-tessera.js';

const pairsOf = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(nonEmptyLines(out).map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]));

describe('tessera secrets', () => {
  it('prints environment lines that migrate accepts, with new secrets each time', async () => {
    const { exitCode, out, err } = await runTessera(['secrets']);
    expect(exitCode).toBe(0);
    expect(nonEmptyLines(err)).toHaveLength(1);
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
      ...platformServices.map((service) => manifest(`tessera-${service}`, 'DATABASE_PASSWORD', 'NATS_PASSWORD')),
      manifest('tessera-admin', 'ADMIN_KEY'),
      manifest('tessera-nats', 'NATS_PASSWORD_OPERATOR'),
      manifest('tessera-postgres', 'POSTGRES_PASSWORD'),
    ]);
    expect((await runTessera(['secrets', '--format', 'kubernetes'])).out).toContain('namespace: tessera\n');
  });

  it('writes files for Compose into a folder that only the owner can enter, and never overwrites files', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'tessera-secrets-')), 'secrets');
    const { exitCode, out } = await runTessera(['secrets', '--format', 'compose', '--to', folder]);
    expect([exitCode, out]).toEqual([0, '']);
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect([mode(folder), mode(join(folder, 'agents'))]).toEqual(['700', '644']);
    expect(readdirSync(folder)).toEqual([...platformServices, 'admin', 'migrate', 'nats', 'postgres'].toSorted());
    const migrate = pairsOf(read('migrate'));
    const nats = pairsOf(read('nats'));
    expect(pairsOf(read('content-repo'))).toEqual({
      DATABASE_URL: `postgres://tessera_content_repo:${migrate['DATABASE_PASSWORD_CONTENT_REPO']}@postgres/tessera`,
      NATS_URL: `nats://content-repo:${nats['NATS_PASSWORD_CONTENT_REPO']}@nats:4222`,
    });
    expect(migrate['DATABASE_URL']).toBe(`postgres://postgres:${read('postgres')}@postgres/tessera`);
    expect(pairsOf(read('admin'))).toEqual({ ADMIN_KEY: migrate['ADMIN_KEY'] });
    expect(readMigrationVariables(migrate)).toMatchObject({ ok: true });
    const again = await runTessera(['secrets', '--format', 'compose', '--to', folder]);
    expect([again.exitCode, read('postgres')]).toEqual([2, read('postgres')]);
    expect(again.err).toContain('has files');
  });

  it('prints secrets for every service with a database or a NATS user', () => {
    expect([...platformServices].sort()).toEqual([...serviceNames].sort());
    expect([...platformServices].sort()).toEqual([...databaseServiceNames].sort());
  });

  it.each([
    [['--namespace', 'x'], '--namespace: expected only with --format kubernetes.'],
    [['--format', 'kubernetes', '--namespace', 'A b'], '--namespace: expected lower-case letters'],
    [['--format', 'xml'], 'Allowed choices are env, kubernetes, compose'],
    [['--format', 'compose'], '--to: expected with --format compose'],
    [['--to', 'x'], '--to: expected with --format compose'],
  ])('rejects %j', async (words, message) => {
    const { exitCode, out, err } = await runTessera(['secrets', ...words]);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
