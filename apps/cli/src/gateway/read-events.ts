/**
 * Parses server-sent events. Memory is bounded by the longest line allowed; ids, retry times and an incomplete last
 * event are ignored.
 */
import { splitLines } from '../files/split-lines.js';

export type ServerEvent = { readonly name: string; readonly data: string };

const lineBytesMax = 16 * 1024 * 1024;
const field = /^(?<name>event|data)(?:: ?(?<value>.*?))?\r?$/s;

/** Throws when the bytes break off. */
export const readEvents = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let name = 'message';
  let data: string[] = [];
  for await (const line of splitLines(bytes, lineBytesMax)) {
    const text = decoder.decode(line.bytes);
    if (text === '' || text === '\r') {
      if (data.length > 0) yield { name, data: data.join('\n') };
      [name, data] = ['message', []];
      continue;
    }
    const { name: member, value = '' } = field.exec(text)?.groups ?? {};
    if (member === 'event') name = value;
    if (member === 'data') data.push(value);
  }
};
