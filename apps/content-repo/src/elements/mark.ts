/** Stored text -> text for one caller: the mark in front of every address becomes the public URL. */
import { publicUrlMark } from '@tessera/content-model';

export const withPublicUrl = (stored: string, publicUrl: string): string =>
  stored.replaceAll(publicUrlMark, JSON.stringify(publicUrl).slice(1, -1).replaceAll('$', '$$$$'));
