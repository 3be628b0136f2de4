/**
 * The NATS users and their permissions, from the code, as values of the server's chart; passwords come from the
 * server's environment. The file is a copy, because kustomize reads nothing outside its folder.
 */
import { stringify } from 'yaml';
import { permissionsOf, serviceNames } from '../../libs/local-stack/src/nats-permissions.js';

export const natsFiles = {
  original: 'docker/nats.conf',
  copy: 'k8s/overlays/local/nats.golden.conf',
  users: 'k8s/overlays/production/nats-users.golden.yaml',
  values: 'k8s/overlays/production/nats.values.yaml',
} as const;

const passwordVariable = (user: string): string => `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;

/** The chart takes the quotes off what stands between `<<` and `>>`. */
export const natsUsersText = (): string => {
  const users = [
    ...serviceNames.map((service) => ({
      user: service,
      password: `<< $${passwordVariable(service)} >>`,
      permissions: permissionsOf(service),
    })),
    { user: 'operator', password: `<< $${passwordVariable('operator')} >>` },
  ];
  const values = { config: { merge: { max_payload: '<< 1MB >>', authorization: { users } } } };
  return `# Made from libs/local-stack/src/nats-permissions.ts by UPDATE_GOLDENS=1; see nats.values.yaml.\n${stringify(values)}`;
};
