/** Types of licences.mjs, which scripts read as plain JavaScript. */
import type { ShippedPackage } from './shipped-packages.mjs';

export const allowedLicences: readonly string[];
export const licenceOf: (shipped: ShippedPackage) => string | undefined;
