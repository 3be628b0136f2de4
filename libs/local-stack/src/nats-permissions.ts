/**
 * The permissions of each service in NATS. Calls go `gateway -> agents -> tool-gateway -> data services`; a service may
 * skip steps and never calls back. A service can never read another's inbox, serve another's operations or publish
 * another's events.
 */
export const serviceNames = ['gateway', 'agents', 'tool-gateway', 'knowledge-models', 'content-repo'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The one table: whose operations each service may call. */
export const callableServices: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  gateway: ['agents', 'tool-gateway', 'knowledge-models', 'content-repo'],
  agents: ['tool-gateway', 'knowledge-models', 'content-repo'],
  'tool-gateway': ['knowledge-models', 'content-repo'],
  'knowledge-models': [],
  'content-repo': [],
};

/** The services that publish events. A service that consumes them gets its subjects here. */
const eventPublishers: readonly ServiceName[] = ['agents', 'tool-gateway', 'knowledge-models', 'content-repo'];

/** An owner of events looks for the stream and makes it when it is missing; it may neither change nor read it. */
const streamSubjects = ['$JS.API.STREAM.INFO.TESSERA_EVENTS', '$JS.API.STREAM.CREATE.TESSERA_EVENTS'];

type SubjectPermissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

/** Where the answers for one service arrive; its client uses it as inbox prefix. */
const inboxPrefixOf = (service: ServiceName): string => `_INBOX.${service}`;

/**
 * The subjects of one service. Everybody may publish to every inbox: a chunked reply goes back and forth between the
 * two inboxes many times, which a permission for one answer does not cover.
 */
export const subjectPermissionsOf = (service: ServiceName): SubjectPermissions => ({
  publish: [
    ...callableServices[service].map((called) => `op.${called}.>`),
    '_INBOX.>',
    `replicas.${service}.>`,
    ...(eventPublishers.includes(service) ? [`evt.${service}.>`, ...streamSubjects] : []),
  ],
  subscribe: [`op.${service}.>`, `${inboxPrefixOf(service)}.>`, `replicas.${service}.>`],
});
