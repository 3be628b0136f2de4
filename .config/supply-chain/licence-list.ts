/** Renders docs/licences.md: what is shipped, and its licences. */
import { licenceOf } from './licences.mjs';
import type { ShippedPackage } from './shipped-packages.mjs';

const introduction = `# Licences

Every package that an image of this version holds, by its licence; made from the lock file by
\`UPDATE_GOLDENS=1\` and the spec of the supply chain, which compares it. The texts of the licences are in the images, beside
each package.
`;

export const licenceList = (shipped: readonly ShippedPackage[]): string => {
  const byLicence = Map.groupBy(shipped, (one) => licenceOf(one) ?? 'none');
  const chapters = [...byLicence].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    introduction,
    ...chapters.map(([licence, packages]) => `## ${licence}\n\n${packages.map(({ id }) => `- ${id}`).join('\n')}\n`),
  ].join('\n');
};
