/**
 * The rules of our containers: limits, probes on existing ports, pod security `restricted`, a fixed image, and time to
 * stop. Pods of operators and charts are left out.
 */
import { environmentOf, imageName } from './environment.js';
import { type Container, type KubernetesObject, objectName, type Workload, workloadsOf } from './objects.js';
import { at, listAt, numberAt, textAt } from './tree.js';

type Rule = (workload: Workload, container: Container) => readonly string[];

const eachContainer =
  (rule: Rule) =>
  (objects: readonly KubernetesObject[]): readonly string[] =>
    workloadsOf(objects).flatMap((workload) =>
      workload.containers.flatMap((container) =>
        rule(workload, container).map((fault) => `${objectName(workload, container)}: ${fault}`),
      ),
    );

export const resourceFaults = eachContainer((_, { tree }) =>
  ['requests', 'limits'].flatMap((part) =>
    ['cpu', 'memory'].flatMap((resource) =>
      at(tree, 'resources', part, resource) === undefined ? [`has no ${resource} in its ${part}`] : [],
    ),
  ),
);

const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'];

/** A job ends by itself; everything else says when it lives and when it is ready. */
export const probeFaults = eachContainer(({ kind }, { isInit, tree }) =>
  probes.flatMap((probe) => {
    const found = at(tree, probe);
    if (found === undefined) return kind === 'Job' || isInit ? [] : [`has no ${probe}`];
    if (at(found, 'exec') !== undefined) return [];
    const port = at(found, 'httpGet', 'port') ?? at(found, 'tcpSocket', 'port');
    const isOpen = listAt(tree, 'ports').some(
      (open) => at(open, 'name') === port || at(open, 'containerPort') === port,
    );
    return isOpen ? [] : [`${probe} asks port ${String(port)}, which the container does not have`];
  }),
);

export const securityFaults = eachContainer((workload, { tree }) => {
  const either = (member: string): unknown =>
    at(tree, 'securityContext', member) ?? at(workload.pod, 'securityContext', member);
  const hostAccess = ['hostNetwork', 'hostPID', 'hostIPC'].filter((member) => at(workload.pod, member) === true);
  const onHost = listAt(workload.pod, 'volumes').filter((volume) => at(volume, 'hostPath') !== undefined);
  const rules: readonly (readonly [boolean, string])[] = [
    [either('runAsNonRoot') === true && either('runAsUser') !== 0, 'may run as root'],
    [textAt(either('seccompProfile'), 'type') === 'RuntimeDefault', 'has no seccomp profile RuntimeDefault'],
    [at(tree, 'securityContext', 'allowPrivilegeEscalation') === false, 'may gain privileges'],
    [at(tree, 'securityContext', 'privileged') !== true, 'is privileged'],
    [at(tree, 'securityContext', 'readOnlyRootFilesystem') === true, 'may write its root file system'],
    [listAt(tree, 'securityContext', 'capabilities', 'drop').includes('ALL'), 'keeps capabilities'],
    [listAt(tree, 'securityContext', 'capabilities', 'add').length === 0, 'adds capabilities'],
    [hostAccess.length === 0 && onHost.length === 0, 'reaches into its host'],
    [at(workload.pod, 'automountServiceAccountToken') === false, "has a token of the cluster's API"],
  ];
  return rules.flatMap(([holds, fault]) => (holds ? [] : [fault]));
});

const fixedImage = /(?::\d+\.\d+(?:\.\d+)?(?:-[a-z0-9.]+)?|@sha256:[0-9a-f]{64})$/;

export const imageFaults = eachContainer((_, { tree }) => {
  const image = textAt(tree, 'image') ?? '';
  return fixedImage.test(image) ? [] : [`its image ${image} has neither version nor digest`];
});

/** Images of the product have its version, and so have the names of jobs with them, since a job cannot be changed. */
export const versionFaults =
  (version: string) =>
  (objects: readonly KubernetesObject[]): readonly string[] => {
    const ending = `-${version.replaceAll('.', '-')}`;
    const ours = workloadsOf(objects).filter(({ containers }) =>
      containers.some((container) => imageName(container).startsWith('tessera/')),
    );
    const images = eachContainer((_, { tree }) => {
      const image = textAt(tree, 'image') ?? '';
      return image.includes('@') || image.endsWith(`:${version}`)
        ? []
        : [`its image is ${image}, the version is ${version}`];
    })(ours);
    const jobs = ours.filter(({ kind, name }) => kind === 'Job' && !name.endsWith(ending));
    return [
      ...images,
      ...jobs.map((job) => `${objectName(job)}: its name does not end in ${ending}, and a job cannot be changed`),
    ];
  };

/** Before the process is killed: what it does first, what it waits, and what it may take to stop. */
export const stopFaults = (objects: readonly KubernetesObject[]): readonly string[] =>
  workloadsOf(objects).flatMap((workload) =>
    workload.containers.flatMap((container) => {
      const { values } = environmentOf(objects, container);
      if (values['STOP_TIMEOUT_MS'] === undefined) return [];
      const preStop = numberAt(container.tree, 'lifecycle', 'preStop', 'sleep', 'seconds') ?? 0;
      const [drain, stop] = [Number(values['DRAIN_DELAY_MS'] ?? 0) / 1000, Number(values['STOP_TIMEOUT_MS']) / 1000];
      const grace = numberAt(workload.pod, 'terminationGracePeriodSeconds') ?? 30;
      const place = objectName(workload, container);
      return [
        ...(grace > preStop + drain + stop
          ? []
          : [`${place}: is killed after ${grace} s; preStop, drain and stop take ${preStop + drain + stop} s`]),
        ...(drain < stop ? [] : [`${place}: drains for ${drain} s, but stops within ${stop} s`]),
      ];
    }),
  );
