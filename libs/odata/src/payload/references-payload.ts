/** References to entries: their addresses, of several or of one. */
import { createEntityAddressGetter } from './entity-address.js';
import { createPageFrame, type JsonFormat } from './json-payload.js';
import { type PayloadSerializer, type PayloadLayout, rowFormatKey } from './payload.js';

export const createReferencesSerializer = (subject: PayloadLayout, format: JsonFormat): PayloadSerializer => {
  const context = `${subject.root}$metadata#${subject.isOne ? '$ref' : 'Collection($ref)'}`;
  const shown = format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(context)}`];
  const id = (): ((row: readonly (string | null)[]) => string) => {
    const address = createEntityAddressGetter(subject);
    return (row) => `"@odata.id":${JSON.stringify(address(row) ?? null)}`;
  };
  const key = `references ${rowFormatKey(subject)}`;
  if (subject.isOne)
    return {
      ...{ key, writer: id, separator: '' },
      head: () => `{${shown.map((member) => `${member},`).join('')}`,
      tail: () => '}',
    };
  const writer = () => {
    const write = id();
    return (row: readonly (string | null)[]) => `{${write(row)}}`;
  };
  return { key, writer, separator: ',', ...createPageFrame(shown, format) };
};
