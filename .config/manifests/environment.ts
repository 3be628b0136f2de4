/**
 * The environment that a container gets from the kubelet, compared with the settings of its program. Secrets are
 * placeholders of the right shape.
 */
import {
  type Container,
  findObject,
  type KubernetesObject,
  objectName,
  type Workload,
  workloadsOf,
} from './objects.js';
import { at, listAt, textAt, textsAt } from './tree.js';

/** Longer than any password has to be, and of letters that an address may have. */
const placeholder = 'a-secret-of-the-right-length-and-letters';

type Environment = {
  readonly values: Readonly<Record<string, string>>;
  /** Variables that are there for the sake of others, by `$(NAME)`. */
  readonly parts: ReadonlySet<string>;
  readonly faults: readonly string[];
};

/** First `envFrom`, then `env` in order; `$(NAME)` refers to earlier entries. Optional secrets count as absent. */
export const environmentOf = (objects: readonly KubernetesObject[], { tree }: Container): Environment => {
  const values: Record<string, string> = {};
  const parts = new Set<string>();
  const faults: string[] = [];
  for (const source of listAt(tree, 'envFrom'))
    Object.assign(
      values,
      textsAt(findObject(objects, 'ConfigMap', textAt(source, 'configMapRef', 'name'))?.tree, 'data'),
    );
  for (const variable of listAt(tree, 'env')) {
    const name = textAt(variable, 'name') ?? '';
    const given = valueOf(objects, variable);
    if (given === undefined) continue;
    values[name] = given.replace(/\$\(([A-Z_]+)\)/g, (whole, part: string) => {
      parts.add(part);
      const known = values[part];
      if (known === undefined) faults.push(`${name} names ${part}, which nothing before it says`);
      return known ?? whole;
    });
  }
  return { values, parts, faults };
};

const valueOf = (objects: readonly KubernetesObject[], variable: unknown): string | undefined => {
  const literal = textAt(variable, 'value');
  if (literal !== undefined) return literal;
  const [secret, map] = [at(variable, 'valueFrom', 'secretKeyRef'), at(variable, 'valueFrom', 'configMapKeyRef')];
  if (secret !== undefined) return at(secret, 'optional') === true ? undefined : placeholder;
  return textsAt(findObject(objects, 'ConfigMap', textAt(map, 'name'))?.tree, 'data')[textAt(map, 'key') ?? ''];
};

/** What a program reads from its environment: the names that it knows, and what is wrong with values by these names. */
export type ProgramSettings = {
  readonly names: readonly string[];
  readonly faultsOf: (values: Readonly<Record<string, string>>) => readonly string[];
};

/** `programs` by image, e.g. `tessera/gateway`. */
export const environmentFaults = (
  objects: readonly KubernetesObject[],
  programs: Readonly<Record<string, ProgramSettings>>,
): readonly string[] =>
  workloadsOf(objects).flatMap((workload) =>
    workload.containers.flatMap((container) => {
      const program = programs[imageName(container)];
      return program === undefined ? [] : containerFaults(objects, workload, container, program);
    }),
  );

/** `tessera/gateway`, wherever it is fetched from; the name as it is when it is none of ours. */
export const imageName = ({ tree }: Container): string => {
  const image = textAt(tree, 'image') ?? '';
  return /(?:^|\/)(tessera\/[a-z-]+)(?:[:@]|$)/.exec(image)?.[1] ?? image;
};

const containerFaults = (
  objects: readonly KubernetesObject[],
  workload: Workload,
  container: Container,
  { names, faultsOf }: ProgramSettings,
): readonly string[] => {
  const { values, parts, faults } = environmentOf(objects, container);
  const given = new Set([...Object.keys(values), ...secretNames(container)]);
  const unknown = [...given].filter((name) => !names.includes(name) && !parts.has(name));
  const settings = Object.entries(values).filter(([name]) => names.includes(name));
  const mounted = mountedFiles(workload, container);
  const missing = settings.flatMap(([name, value]) =>
    filesIn(value).flatMap((file) => (mounted.includes(file) ? [] : [`${name} names ${file}, which no volume brings`])),
  );
  // A program checks that it can read a file of its container; another file replaces it here.
  const readable = settings.map(
    ([name, value]) => [name, mounted.includes(value) ? import.meta.filename : value] as const,
  );
  return [
    ...faults,
    ...unknown.map((name) => `${name} is no setting of this program`),
    ...missing,
    ...faultsOf(Object.fromEntries(readable)),
  ].map((fault) => `${objectName(workload, container)}: ${fault}`);
};

/** Optional ones as well. */
const secretNames = ({ tree }: Container): readonly string[] =>
  listAt(tree, 'env').flatMap((variable) =>
    at(variable, 'valueFrom', 'secretKeyRef') === undefined ? [] : [textAt(variable, 'name') ?? ''],
  );

/** A value that is a path, or paths among the parameters of an address. */
const filesIn = (value: string): readonly string[] =>
  [...value.matchAll(/(?:^|=)(\/[\w./-]+)/g)].map(([, file]) => file ?? '');

/** Keys of secrets that a volume brings into a container as files, where the manifest says which; and empty folders. */
const mountedFiles = (workload: Workload, { tree }: Container): readonly string[] =>
  listAt(tree, 'volumeMounts').flatMap((mount) => {
    const volume = listAt(workload.pod, 'volumes').find((each) => at(each, 'name') === at(mount, 'name'));
    if (at(volume, 'emptyDir') !== undefined) return [textAt(mount, 'mountPath') ?? ''];
    const sources = [at(volume, 'secret'), ...listAt(volume, 'projected', 'sources').map((each) => at(each, 'secret'))];
    return sources.flatMap((source) =>
      listAt(source, 'items').map((item) => `${textAt(mount, 'mountPath')}/${textAt(item, 'path')}`),
    );
  });
