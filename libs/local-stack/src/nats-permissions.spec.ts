import { describe, expect, it } from '@jest/globals';
import { printNatsConfiguration, printNatsUsersFromEnvironment } from './nats-configuration.js';
import { callableServices, subjectPermissionsOf, serviceNames } from './nats-permissions.js';

describe('callableServices', () => {
  it('is acyclic, so that no service calls back', () => {
    const order = ['gateway', 'agents', 'tool-gateway', 'knowledge-models', 'content-repo'];
    for (const service of serviceNames)
      for (const called of callableServices[service])
        expect(order.indexOf(called)).toBeGreaterThan(order.indexOf(service));
  });

  it('lets data services call no other service', () => {
    expect([callableServices['knowledge-models'], callableServices['content-repo']]).toEqual([[], []]);
  });

  it.each([
    [
      'gateway',
      [
        'op.agents.>',
        'op.tool-gateway.>',
        'op.knowledge-models.>',
        'op.content-repo.>',
        '_INBOX.>',
        'replicas.gateway.>',
      ],
    ],
    [
      'agents',
      [
        'op.tool-gateway.>',
        'op.knowledge-models.>',
        'op.content-repo.>',
        '_INBOX.>',
        'replicas.agents.>',
        'evt.agents.>',
        '$JS.API.STREAM.INFO.TESSERA_EVENTS',
        '$JS.API.STREAM.CREATE.TESSERA_EVENTS',
      ],
    ],
    [
      'tool-gateway',
      [
        'op.knowledge-models.>',
        'op.content-repo.>',
        '_INBOX.>',
        'replicas.tool-gateway.>',
        'evt.tool-gateway.>',
        '$JS.API.STREAM.INFO.TESSERA_EVENTS',
        '$JS.API.STREAM.CREATE.TESSERA_EVENTS',
      ],
    ],
    [
      'content-repo',
      [
        '_INBOX.>',
        'replicas.content-repo.>',
        'evt.content-repo.>',
        '$JS.API.STREAM.INFO.TESSERA_EVENTS',
        '$JS.API.STREAM.CREATE.TESSERA_EVENTS',
      ],
    ],
  ] as const)(
    'lets %s publish only to its callable services, inboxes, its replicas and its own events',
    (service, subjects) => {
      expect(subjectPermissionsOf(service).publish).toEqual(subjects);
    },
  );

  it('lets a service subscribe only to its own operations, inbox and replicas', () => {
    for (const service of serviceNames)
      expect(subjectPermissionsOf(service).subscribe).toEqual([
        `op.${service}.>`,
        `_INBOX.${service}.>`,
        `replicas.${service}.>`,
      ]);
  });
});

describe('printNatsConfiguration', () => {
  it('listens on the loopback interface and gives each user exactly its permissions', () => {
    const text = printNatsConfiguration({
      port: 4222,
      storeFolder: '/data/st"reams',
      users: { gateway: 'secret', operator: 'other' },
    });
    expect(text).toBe(
      [
        'host: "127.0.0.1"',
        'port: 4222',
        'max_payload: 1MB',
        'jetstream { store_dir: "/data/st\\"reams", max_mem: 64MB, max_file: 1GB }',
        'authorization {',
        '  users: [',
        '    { user: "gateway", password: "secret", permissions: { publish: ["op.agents.>", "op.tool-gateway.>", "op.knowledge-models.>", ' +
          '"op.content-repo.>", "_INBOX.>", "replicas.gateway.>"], subscribe: ["op.gateway.>", "_INBOX.gateway.>", "replicas.gateway.>"] } }',
        '    { user: "operator", password: "other" }',
        '  ]',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('prints no users without authorization', () => {
    expect(printNatsConfiguration({ port: 1, storeFolder: '/x', users: 'none' })).not.toContain('authorization');
  });
});

describe('printNatsUsersFromEnvironment', () => {
  it('prints every user with its password variable unquoted, as the server requires', () => {
    const lines = printNatsUsersFromEnvironment().split('\n');
    expect(lines.slice(2, -3).map((line) => /user: "([^"]+)", password: ([^ ,]+)/.exec(line)?.slice(1))).toEqual([
      ['gateway', '$NATS_PASSWORD_GATEWAY'],
      ['agents', '$NATS_PASSWORD_AGENTS'],
      ['tool-gateway', '$NATS_PASSWORD_TOOL_GATEWAY'],
      ['knowledge-models', '$NATS_PASSWORD_KNOWLEDGE_MODELS'],
      ['content-repo', '$NATS_PASSWORD_CONTENT_REPO'],
      ['operator', '$NATS_PASSWORD_OPERATOR'],
    ]);
    expect(lines.filter((line) => line.includes('permissions'))).toHaveLength(5);
  });
});
