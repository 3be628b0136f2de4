/**
 * The images that the Dockerfile and the Compose file begin with: those that the engine has or can pull, else stand-ins of
 * Debian under the same names.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkout, makeDebian, mustRun } from './trial-engine.mjs';

/** PostgreSQL 18 and the version of nats-server are in no older Debian. */
const serversSuite = 'forky';
const standIn = 'tessera.stand-in';

/** What the image of PostgreSQL does at its first start, as far as the Compose file relies on it. */
const postgresDockerfile = (servers) => `
FROM ${servers}
LABEL ${standIn}="Debian's PostgreSQL"
RUN groupmod --non-unique --gid 999 postgres && usermod --non-unique --uid 999 --gid 999 postgres \\
 && rm -rf /var/lib/postgresql /var/run/postgresql \\
 && install -d -o 999 -g 999 -m 1777 /var/lib/postgresql && install -d -o 999 -g 999 -m 3777 /var/run/postgresql
ENV PATH=/usr/lib/postgresql/18/bin:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/18/docker
COPY --chmod=755 <<'END' /usr/local/bin/docker-entrypoint.sh
#!/bin/sh
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA" && chmod 700 "$PGDATA"
  password=$(mktemp)
  if [ -n "$POSTGRES_PASSWORD_FILE" ]; then cat "$POSTGRES_PASSWORD_FILE"; else echo "$POSTGRES_PASSWORD"; fi > "$password"
  eval "initdb --username=postgres --auth-host=scram-sha-256 --auth-local=trust --pwfile=$password $POSTGRES_INITDB_ARGS"
  rm "$password"
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  pg_ctl --wait --options="-c listen_addresses=" start
  createdb --username=postgres "$POSTGRES_DB"
  pg_ctl --wait --mode=fast stop
fi
exec "$@"
END
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
`;
const natsDockerfile = (servers) => `
FROM ${servers}
LABEL ${standIn}="Debian's nats-server"
ENTRYPOINT ["/usr/sbin/nats-server"]
`;

/** Debian with the Node of node_modules, the npm of this machine and the certificates that it trusts. */
const fillNode = async (root, image) => {
  const node = realpathSync(join(checkout, 'node_modules', '.bin', 'node'));
  const version = await mustRun(node, ['--version']);
  assert.equal(`v${/:([\d.]+)-/.exec(image)[1]}`, version, 'the Dockerfile and package.json name one Node');
  // The program lies in the folder bin of its package.
  const npm = dirname(dirname(realpathSync(await mustRun('/bin/sh', ['-c', 'command -v npm']))));
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  cpSync(node, join(root, 'usr/local/bin/node'));
  rmSync(join(root, 'usr/local/bin/npm'), { force: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'etc/ssl/certs/ca-certificates.crt'));
};

/** Makes the images that are missing, and answers what each of them is; `made` takes the names of the stand-ins. */
export const obtainBases = async ([command, ...prefix], folder, composeImages, made) => {
  const call = (parameters, options) => mustRun(command, [...prefix, ...parameters], options);
  const succeeds = (...parameters) => call(parameters).then(Boolean, () => false);
  const importRoot = (root, image, change) => {
    const pack = 'root=$1; shift; tar --directory "$root" --numeric-owner --create . | "$@"';
    const importing = [command, ...prefix, 'import', '--change', change, '-', image];
    return mustRun('/bin/sh', ['-ec', pack, 'sh', root, ...importing]);
  };
  const makeNode = async (image) => {
    const root = join(folder, 'node');
    await makeDebian(/-(\w+)-slim$/.exec(image)[1], 'libstdc++6', root);
    await fillNode(root, image);
    const bare = 'tessera-trial/node';
    await importRoot(root, bare, 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt');
    await call(['build', '--quiet', '--tag', image, '-'], {
      input: `FROM ${bare}\nLABEL ${standIn}="Debian with Node"\n`,
    });
  };
  const makeServer = (dockerfile) => async (image) => {
    const servers = 'tessera-trial/servers';
    if (!(await succeeds('image', 'inspect', servers))) {
      const root = join(folder, 'servers');
      await makeDebian(serversSuite, 'nats-server,postgresql-18,wget', root);
      await importRoot(root, servers, 'USER root');
    }
    await call(['build', '--quiet', '--tag', image, '-'], { input: dockerfile(servers) });
  };
  const makers = { node: makeNode, postgres: makeServer(postgresDockerfile), nats: makeServer(natsDockerfile) };
  const describe = async (image) => {
    const label = await call(['image', 'inspect', '--format', `{{index .Config.Labels "${standIn}"}}`, image]);
    if (label === '') return image;
    const name = image.split(':')[0];
    const program = { node: 'node', postgres: 'postgres', nats: 'nats-server' }[name];
    const version = await call(['run', '--rm', '--network', 'none', '--entrypoint', program, image, '--version']);
    return `${image}: ${label} in its place (${/\d+\.\d+(?:\.\d+)?/.exec(version)?.[0]})`;
  };
  const node = /^FROM (\S+)/m.exec(readFileSync(join(checkout, 'docker/Dockerfile'), 'utf8'))[1];
  const images = [node, ...composeImages];
  for (const image of images) {
    const isThere = (await succeeds('image', 'inspect', image)) || (await succeeds('pull', '--quiet', image));
    if (isThere) continue;
    await makers[image.split(':')[0]](image);
    made.push(image);
  }
  return Promise.all(images.map(describe));
};
