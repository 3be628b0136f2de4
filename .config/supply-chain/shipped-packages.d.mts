/** Types of shipped-packages.mjs, which scripts read as plain JavaScript. */
export type LockedPackage = {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};
/** What a lock file holds, by place. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;
export type ShippedPackage = {
  /** name@version */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string | undefined;
  readonly integrity: string | undefined;
  readonly ours: boolean;
  readonly needs: readonly string[];
};
export const programs: readonly string[];
export const shippedWith: (packages: LockedPackages, program: string) => readonly string[];
export const collectedFor: (packages: LockedPackages, program: string) => readonly string[];
export const neededInProduction: (packages: LockedPackages, projects: readonly string[]) => readonly string[];
export const packagesAt: (packages: LockedPackages, places: readonly string[]) => readonly ShippedPackage[];
