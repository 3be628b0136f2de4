/** Parts of the paths of spec files, the longest first. */
export const longest: readonly string[];
