/**
 * The rules of the Compose file: versions, rights, limits, health checks, existing settings, secrets in files and names. It
 * is only read, so Docker is not needed.
 */
import { parse } from 'yaml';
import { z } from 'zod';

const texts = z.array(z.string());

const Service = z.object({
  image: z.string(),
  build: z.object({ args: z.object({ APP: z.string() }) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: texts.default([]),
  read_only: z.boolean().default(false),
  cap_drop: texts.default([]),
  cap_add: texts.default([]),
  privileged: z.boolean().default(false),
  container_name: z.string().optional(),
  security_opt: texts.default([]),
  mem_limit: z.string().optional(),
  healthcheck: z.union([z.object({ disable: z.literal(true) }), z.object({ test: texts.min(2) })]).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  volumes: texts.default([]),
  secrets: z
    .array(z.union([z.string(), z.object({ source: z.string(), target: z.literal('environment') })]))
    .default([]),
});
type Service = z.output<typeof Service>;

const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()).default({}),
  secrets: z.record(z.string(), z.object({ file: z.string() })).default({}),
});

export type Known = {
  /** The names that a program reads from its environment, by program. */
  readonly settings: ReadonlyMap<string, ReadonlySet<string>>;
  /** The files that are made for an installation, by name. */
  readonly secretFiles: ReadonlyMap<string, string>;
  readonly version: string;
  /** The one service that may be reached from outside. */
  readonly door: string;
};

const variable = /\$\{(\w+)(?:(:?[-?])([^}]*))?\}/g;

const imageFaults = ({ image, build }: Service, { version }: Known): readonly string[] => {
  const [name, tag = ''] = image.split(':');
  if (build === undefined) return /^\d+\.\d+/.test(tag) ? [] : [`${image} is no image by its version`];
  return name === `tessera/${build.args.APP}` && tag === version
    ? []
    : [`${image} is not tessera/${build.args.APP}:${version}, which is built`];
};

const rightsFaults = (service: Service): readonly string[] => [
  ...(service.read_only ? [] : ['its file system can be written to']),
  ...(service.cap_drop.includes('ALL') && service.cap_add.length === 0 && !service.privileged
    ? []
    : ['it has capabilities']),
  ...(service.security_opt.includes('no-new-privileges:true') ? [] : ['it may get new privileges']),
  ...(service.mem_limit === undefined ? ['its memory has no limit'] : []),
];

const healthFaults = (
  name: string,
  { healthcheck }: Service,
  all: Readonly<Record<string, Service>>,
): readonly string[] => {
  if (healthcheck === undefined) return ['there is no health check'];
  const waiting = Object.values(all).flatMap((other) => other.depends_on[name]?.condition ?? []);
  return 'disable' in healthcheck && waiting.includes('service_healthy')
    ? ['others wait for its health, which nobody checks']
    : [];
};

/** What a file of settings sets. */
const settingsIn = (text: string): readonly string[] => [...text.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);

const environmentFaults = (name: string, service: Service, { settings, secretFiles }: Known): readonly string[] => {
  const program = service.build?.args.APP ?? name;
  const given = service.secrets.flatMap((secret) => (typeof secret === 'string' ? [] : [secret.source]));
  const set = given.flatMap((file) => settingsIn(secretFiles.get(file) ?? ''));
  const unread = [...Object.keys(service.environment), ...set].filter(
    (setting) => settings.get(program)?.has(setting) !== true,
  );
  const secretSettings = new Set([...secretFiles.values()].flatMap(settingsIn));
  const shown = Object.keys(service.environment).filter((setting) => secretSettings.has(setting));
  const unset = Object.values(service.environment)
    .flatMap((value) => [...value.matchAll(variable)])
    .filter(([, , how]) => how !== ':-');
  return [
    ...unread.map((setting) => `${program} does not read ${setting}`),
    ...shown.map((setting) => `everybody who may inspect the container sees ${setting}`),
    ...unset.map(([, wanted]) => `nobody makes ${wanted}, and it has no preset`),
  ];
};

/** A secret is a file that is made, and belongs to one service. */
const secretFaults = (
  name: string,
  { services, secrets }: z.output<typeof Compose>,
  known: Known,
): readonly string[] => {
  const sources = (service: Service | undefined): readonly string[] =>
    (service?.secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source));
  const others = Object.entries(services).flatMap(([other, service]) => (other === name ? [] : sources(service)));
  return sources(services[name]).flatMap((source) => [
    ...(secrets[source]?.file === `secrets/${source}` && known.secretFiles.has(source)
      ? []
      : [`nobody makes the secret ${source}`]),
    ...(others.includes(source) ? [`another service has the secret ${source} as well`] : []),
  ]);
};

const reachFaults = (name: string, { ports, container_name: ownName }: Service, { door }: Known): readonly string[] => [
  ...(name === door || ports.length === 0 ? [] : ['it is published']),
  ...ports.filter((port) => !port.startsWith('127.0.0.1:')).map((port) => `${port} is published beyond this machine`),
  ...(ownName === undefined ? [] : ['a name of its own keeps it from having replicas']),
];

export const composeFaults = (text: string, known: Known): readonly string[] => {
  const compose = Compose.parse(parse(text, { merge: true }));
  const { services, volumes } = compose;
  return Object.entries(services).flatMap(([name, service]) =>
    [
      ...imageFaults(service, known),
      ...rightsFaults(service),
      ...healthFaults(name, service, services),
      ...environmentFaults(name, service, known),
      ...secretFaults(name, compose, known),
      ...reachFaults(name, service, known),
      ...Object.keys(service.depends_on)
        .filter((other) => services[other] === undefined)
        .map((other) => `it waits for ${other}, which is not there`),
      ...service.volumes
        // A path alone is a volume of the container itself.
        .filter((volume) => volume.includes(':') || !volume.startsWith('/'))
        .map((volume) => volume.split(':')[0] ?? '')
        .filter((volume) => !volume.startsWith('.') && !(volume in volumes))
        .map((volume) => `there is no volume ${volume}`),
    ].map((fault) => `${name}: ${fault}`),
  );
};

/** Which program each service is built of. */
export const programsIn = (text: string): readonly string[] =>
  Object.values(Compose.parse(parse(text, { merge: true })).services).flatMap(({ build }) => build?.args.APP ?? []);
