import { describe, expect, it } from '@jest/globals';
import { natsConfiguration, natsUsersByEnvironment } from './nats-configuration.js';
import { mayCall, permissionsOf, serviceNames } from './nats-permissions.js';

describe('mayCall', () => {
  it('is acyclic: a service calls only services behind it', () => {
    const order = ['gateway', 'agents', 'tool-gateway', 'knowledge-models', 'content-repo'];
    for (const service of serviceNames)
      for (const called of mayCall[service]) expect(order.indexOf(called)).toBeGreaterThan(order.indexOf(service));
  });

  it('lets data services call nobody, not even each other', () => {
    expect([mayCall['knowledge-models'], mayCall['content-repo']]).toEqual([[], []]);
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
    'lets %s publish to the services behind it, to inboxes, its replicas and its own events, and to nothing else',
    (service, subjects) => {
      expect(permissionsOf(service).publish).toEqual(subjects);
    },
  );

  it('lets a service subscribe only to its own operations, inbox and replicas', () => {
    for (const service of serviceNames)
      expect(permissionsOf(service).subscribe).toEqual([
        `op.${service}.>`,
        `_INBOX.${service}.>`,
        `replicas.${service}.>`,
      ]);
  });
});

describe('natsConfiguration', () => {
  it('listens on the loopback interface and gives each user exactly its permissions', () => {
    const text = natsConfiguration({
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

  it('has no users without authorization', () => {
    expect(natsConfiguration({ port: 1, storeFolder: '/x', users: 'none' })).not.toContain('authorization');
  });
});

describe('natsUsersByEnvironment', () => {
  it('has every user with the variable of its password, unquoted as the server requires', () => {
    const lines = natsUsersByEnvironment().split('\n');
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
