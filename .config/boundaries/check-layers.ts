/** The layers inside the console: imports go downwards, and an area of features knows no other. */
import { posix } from 'node:path';
import type { Import } from '../workspace/syntax.js';
import type { SourceFile } from './read-workspace.js';
import { consoleLayers, consoleSource, sharedAreas } from './rules.js';

/** `features/session` of a path below the source of the console; undefined for what starts it. */
const placeIn = (path: string): { readonly layer: string; readonly area: string } | undefined => {
  const [layer = '', area = '', ...rest] = path.slice(consoleSource.length).split('/');
  return layer in consoleLayers ? { layer, area: rest.length > 0 ? area : '' } : undefined;
};

export const layerFaults = (file: SourceFile, { specifier }: Import): readonly string[] => {
  if (!file.path.startsWith(consoleSource) || file.isTest) return [];
  if (specifier.startsWith('node:')) return [`there is no ${specifier} in a browser`];
  const from = placeIn(file.path);
  const to = specifier.startsWith('.') ? placeIn(posix.join(posix.dirname(file.path), specifier)) : undefined;
  if (from === undefined || to === undefined) return [];
  if (from.layer !== to.layer)
    return consoleLayers[from.layer]?.includes(to.layer)
      ? []
      : [`${from.layer} of the console must not import ${to.layer}`];
  return from.layer !== 'features' || from.area === to.area || sharedAreas.includes(to.area)
    ? []
    : [`features/${from.area} must not import features/${to.area}; what both need belongs below them`];
};
