/** Bodies that are wrong as a whole: no JSON, other encodings, deep, cut, compressed, too large. */
import { gzipSync } from 'node:zlib';
import { largeJsonTexts } from './hostile-values.js';

type WholeBody = {
  readonly name: string;
  readonly bytes: (right: string) => Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};

const utf8 = (text: string): Buffer => Buffer.from(text);
const mebibyte = 1024 * 1024;

export const hostileBodies: readonly WholeBody[] = [
  { name: 'empty', bytes: () => Buffer.alloc(0) },
  { name: 'blank', bytes: () => utf8(' \n\t ') },
  { name: 'null', bytes: () => utf8('null') },
  { name: 'a number', bytes: () => utf8('1e400') },
  { name: 'a text', bytes: () => utf8('"text"') },
  { name: 'a list', bytes: (right) => utf8(`[${right},${right}]`) },
  { name: 'cut', bytes: (right) => utf8(right.slice(0, Math.floor(right.length / 2))) },
  { name: 'twice', bytes: (right) => utf8(`${right} ${right}`) },
  { name: 'with a comma more', bytes: (right) => utf8(right.replace(/[}\]]$/, ',$&')) },
  { name: 'with a comment', bytes: (right) => utf8(`${right} // comment`) },
  { name: 'no UTF-8', bytes: () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
  { name: 'a byte order mark', bytes: (right) => utf8(`\ufeff${right}`) },
  { name: 'UTF-16', bytes: (right) => Buffer.from(right, 'utf16le') },
  {
    name: 'UTF-16 that says so',
    bytes: (right) => Buffer.from(right, 'utf16le'),
    headers: { 'Content-Type': 'application/json; charset=utf-16' },
  },
  {
    name: 'Latin-1 that says so',
    bytes: (right) => Buffer.from(right.replace(/"/, '"ä'), 'latin1'),
    headers: { 'Content-Type': 'application/json; charset=iso-8859-1' },
  },
  { name: 'compressed', bytes: (right) => gzipSync(right), headers: { 'Content-Encoding': 'gzip' } },
  { name: 'said to be compressed', bytes: utf8, headers: { 'Content-Encoding': 'gzip' } },
  { name: 'of an unknown coding', bytes: utf8, headers: { 'Content-Encoding': 'a, b, c' } },
  { name: 'a form', bytes: () => utf8('a=1&b=2'), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  {
    name: 'XML',
    bytes: () => utf8('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    headers: { 'Content-Type': 'text/xml' },
  },
  { name: 'of no type', bytes: utf8, headers: { 'Content-Type': '' } },
  { name: 'of a wrong type', bytes: utf8, headers: { 'Content-Type': 'application/json/json;;=' } },
  { name: 'of several parts', bytes: utf8, headers: { 'Content-Type': 'multipart/form-data; boundary=a' } },
  { name: '64 levels deep', bytes: () => utf8(`${'['.repeat(64)}${']'.repeat(64)}`) },
  { name: 'deep', bytes: () => utf8('['.repeat(mebibyte - 1)) },
  { name: 'deep in objects', bytes: () => utf8('{"a":'.repeat(200_000)) },
  { name: 'of line breaks', bytes: () => utf8(`${'\n'.repeat(mebibyte - 10)}x`) },
  { name: 'of commas', bytes: () => utf8(`[${','.repeat(mebibyte - 10)}]`) },
  { name: 'of quotes', bytes: () => utf8('"'.repeat(mebibyte)) },
  { name: 'of backslashes', bytes: () => utf8(`"${'\\'.repeat(mebibyte - 2)}`) },
  { name: 'of messages', bytes: () => utf8(`[${'{"jsonrpc":"2.0","method":"x"},'.repeat(24_000)}7]`) },
  {
    name: 'of requests',
    bytes: () => utf8(`[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(18_000)}7]`),
  },
  { name: 'of a member with objects', bytes: () => utf8(`{"a":[${'{"a":1},'.repeat(90_000)}{}]}`) },
  {
    name: 'of a call with objects',
    bytes: () =>
      utf8(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"load-data","arguments":{"a":[${'{"a":1},'.repeat(90_000)}{}]}}}`,
      ),
  },
  { name: 'of zeros', bytes: () => Buffer.alloc(mebibyte) },
  { name: 'of numbers, then wrong', bytes: () => utf8(`[${'1,'.repeat(mebibyte / 2 - 10)}x]`) },
  { name: 'of members, then wrong', bytes: () => utf8(`{${'"a":1,'.repeat(170_000)}x}`) },
  { name: 'of prototypes', bytes: () => utf8(`[${'{"__prot":1},'.repeat(80_000)}{"a":{"__proto__":1}}]`) },
  { name: 'too large', bytes: () => Buffer.alloc(mebibyte + 1, 0x20) },
  { name: 'far too large', bytes: () => Buffer.alloc(3 * mebibyte, 0x5b) },
  ...Object.entries(largeJsonTexts).map(([name, text]) => ({ name: `1 MiB: ${name}`, bytes: () => utf8(text()) })),
];
