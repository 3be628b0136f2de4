/**
 * `npm run sbom --silent [-- program]`: the CycloneDX bill of materials of one program or of all that is shipped. npm
 * describes the lock file; `shipped-packages.mjs` decides what is shipped, because npm leaves out packages that
 * developers need too. The same lock file gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licenceOf } from './licences.mjs';
import { packagesAt, programs, shippedWith } from './shipped-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const outputMax = 64 * 1024 * 1024;

const describeLock = () =>
  JSON.parse(
    execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'], {
      cwd: root,
      maxBuffer: outputMax,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );

/** npm describes one of the places of a package, perhaps a copy that a development package bundles, without a hash. */
const describe = (component, { integrity }) => ({
  ...component,
  properties: component.properties.filter(({ name }) => !/:(?:bundled|development)$/.test(name)),
  ...(integrity !== undefined && {
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  }),
});

const sbomOf = (program) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const chosen = program === undefined ? programs : [program];
  const shipped = packagesAt(packages, [...new Set(chosen.flatMap((name) => shippedWith(packages, name)))]);
  const { $schema, bomFormat, specVersion, metadata, components } = describeLock();
  const byId = new Map(components.map((component) => [component['bom-ref'], component]));
  const described = shipped.map((found) => ({
    ...describe(byId.get(found.id), found),
    // npm calls our own by their folders.
    name: found.name,
    scope: 'required',
    licenses: [{ license: { id: licenceOf(found) } }],
  }));
  const isChosen = ({ 'bom-ref': id }) => chosen.some((name) => id.startsWith(`@tessera/${name}@`));
  const all = { ...metadata.component, name: 'tessera' };
  const subject = program === undefined ? all : described.find(isChosen);
  const parts = described.filter((component) => component !== subject);
  return {
    $schema,
    bomFormat,
    specVersion,
    version: 1,
    metadata: {
      lifecycles: metadata.lifecycles,
      tools: metadata.tools,
      component: { ...subject, type: 'application' },
    },
    components: parts,
    dependencies: [
      ...(subject === all
        ? [{ ref: all['bom-ref'], dependsOn: parts.filter(isChosen).map((part) => part['bom-ref']) }]
        : []),
      ...shipped.map(({ id, needs }) => ({ ref: id, dependsOn: needs })),
    ],
  };
};

const [program, ...others] = process.argv.slice(2);
if (others.length > 0 || (program !== undefined && !programs.includes(program))) {
  console.error(`expected one of ${programs.join(', ')}, or nothing for all of them`);
  process.exitCode = 2;
} else {
  process.stdout.write(`${JSON.stringify(sbomOf(program), undefined, 2)}\n`);
}
