/** The objects that kustomize printed, and the workloads among them. */
import { parseAllDocuments } from 'yaml';
import { at, listAt, textAt, textsAt } from './tree.js';

export type KubernetesObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly tree: unknown;
};

export type Container = {
  readonly name: string;
  readonly isInit: boolean;
  readonly tree: unknown;
};

/** What makes pods, with what its pods are. */
export type Workload = KubernetesObject & {
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: unknown;
  readonly containers: readonly Container[];
};

export const objectsOf = (printed: string): readonly KubernetesObject[] =>
  parseAllDocuments(printed).map((document) => objectOf(document.toJS()));

export const objectOf = (tree: unknown): KubernetesObject => {
  const [apiVersion, kind, name] = [textAt(tree, 'apiVersion'), textAt(tree, 'kind'), textAt(tree, 'metadata', 'name')];
  if (apiVersion === undefined || kind === undefined || name === undefined)
    throw new Error('An object has no apiVersion, kind or name.');
  return { apiVersion, kind, name, namespace: textAt(tree, 'metadata', 'namespace'), tree };
};

const makesPods: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'Job']);

export const workloadsOf = (objects: readonly KubernetesObject[]): readonly Workload[] =>
  objects
    .filter(({ kind }) => makesPods.has(kind))
    .map((object) => {
      const pod = at(object.tree, 'spec', 'template', 'spec');
      return {
        ...object,
        pod,
        labels: textsAt(object.tree, 'spec', 'template', 'metadata', 'labels'),
        containers: [...containersOf(pod, 'initContainers', true), ...containersOf(pod, 'containers', false)],
      };
    });

const containersOf = (pod: unknown, member: string, isInit: boolean): readonly Container[] =>
  listAt(pod, member).map((tree) => ({ name: textAt(tree, 'name') ?? '', isInit, tree }));

/** `Deployment gateway`, with its container when there is one: how a fault names its place. */
export const objectName = ({ kind, name }: KubernetesObject, container?: Container): string =>
  container === undefined ? `${kind} ${name}` : `${kind} ${name}, container ${container.name}`;

export const findObject = (
  objects: readonly KubernetesObject[],
  kind: string,
  name: string | undefined,
): KubernetesObject | undefined => objects.find((object) => object.kind === kind && object.name === name);

/** `matchLabels` and `matchExpressions`; an empty selector selects everything, none selects nothing. */
export const selects = (selector: unknown, labels: Readonly<Record<string, string>>): boolean => {
  if (typeof selector !== 'object' || selector === null) return false;
  const exact = Object.entries(textsAt(selector, 'matchLabels')).every(([key, value]) => labels[key] === value);
  return exact && listAt(selector, 'matchExpressions').every((expression) => matchesLabels(expression, labels));
};

const matchesLabels = (expression: unknown, labels: Readonly<Record<string, string>>): boolean => {
  const value = labels[textAt(expression, 'key') ?? ''];
  const isListed = value !== undefined && listAt(expression, 'values').includes(value);
  const operator = textAt(expression, 'operator');
  if (operator === 'In') return isListed;
  if (operator === 'NotIn') return !isListed;
  return operator === 'Exists' ? value !== undefined : operator === 'DoesNotExist' && value === undefined;
};
