/**
 * `tessera evidence export ID` and `tessera evidence verify FILE`. A file is checked without the product: with the public keys from a
 * file or an address, and with the rows of the answer when these were saved.
 */
import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { canonicalJson } from '@tessera/contracts';
import {
  ExportedEvidence,
  evidenceKeysPath,
  exportedTextOf,
  exportEvidence,
  signedBytesOf,
} from '@tessera/contracts/gateway';
import { z } from 'zod';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatCount } from '../terminal/terminal.js';
import { reportTeamKeyFailure, reportUsageError, withGateway, type CommandContext } from './command.js';

/** `id`: or the address in the header `Evidence`, which ends with it. */
export const exportEvidenceCommand = (context: CommandContext, id: string): Promise<ExitCode> =>
  withGateway(
    context,
    async (gateway) => {
      const answer = await gateway.callRendered(exportEvidence, { evidence_id: id.slice(id.lastIndexOf('/') + 1) });
      if (!answer.ok) return reportTeamKeyFailure(context, answer.refusal, 'model');
      // Byte for byte as it was signed: a line end behind it would not be.
      context.terminal.write(answer.value.text);
      return exitCodes.done;
    },
    ['API_KEY', 'ADMIN_KEY'],
  );

export type VerifyEvidenceOptions = {
  /** A file or an address. */
  readonly keys?: string;
  /** A saved answer, whose rows are compared. */
  readonly rows?: string;
};

type Files = { readonly file: string; readonly at: (path: string) => string };

export const verifyEvidenceCommand = async (
  context: CommandContext,
  { file, at }: Files,
  { keys, rows }: VerifyEvidenceOptions,
): Promise<ExitCode> => {
  const { terminal, configuration } = context;
  const { gatewayUrl } = configuration;
  const source = keys ?? (gatewayUrl && `${gatewayUrl.value}${evidenceKeysPath}`);
  if (source === undefined)
    return reportUsageError(context, '--keys is missing: a file or an address with the public keys.');
  const published = await readKeys(source, at);
  if (typeof published === 'string') return reportUsageError(context, published);
  const document = parseExported(await readFile(at(file)));
  const answer = rows === undefined ? undefined : await readFile(at(rows), 'utf8');
  const faults = typeof document === 'string' ? [document] : findFaults(document, published, answer);
  for (const fault of faults) terminal.print(`${file}: ${fault}`);
  if (typeof document === 'string' || faults.length > 0) return exitCodes.faults;
  for (const line of describeEvidence(document.evidence, answer !== undefined)) terminal.print(onOneLine(line));
  return exitCodes.done;
};

/** Some of the words come from the person who asked. */
const onOneLine = (line: string): string => line.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\ufffd');

const PublicKeys = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });
type PublicKeys = z.output<typeof PublicKeys>['keys'];

const timeoutMs = 10_000;

/** A sentence when there are none. */
const readKeys = async (source: string, at: (path: string) => string): Promise<PublicKeys | string> => {
  const isAddress = /^https?:\/\//.test(source);
  const text = isAddress ? await fetchText(source) : await readFile(at(source), 'utf8');
  if (text === undefined)
    return `${source} cannot be read; expected public keys there, or in a file that --keys names.`;
  const parsed = PublicKeys.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.keys;
  return `${source} has no public keys; expected a JSON Web Key Set as ${evidenceKeysPath} of the installation answers it.`;
};

const fetchText = async (address: string): Promise<string | undefined> => {
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** As it was parsed, with members that this version does not know, and the members that it knows. */
type Exported = { readonly document: Readonly<Record<string, unknown>>; readonly evidence: ExportedEvidence };

const AnyDocument = z.record(z.string(), z.unknown());

/**
 * What the bytes of a file say when they are the one text of it that can be signed; else a sentence. Readers of JSON do not agree on
 * what a name means that is there twice.
 */
const parseExported = (bytes: Buffer): Exported | string => {
  const text = decodeText(bytes);
  if (text === undefined) return 'is no exported evidence: it is not UTF-8.';
  const document = AnyDocument.safeParse(parseJson(text));
  if (!document.success) return `is no exported evidence: it is no object of JSON${hintFor(text)}.`;
  const parsed = ExportedEvidence.safeParse(document.data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `is no exported evidence${issue ? ` (${issue.path.join('.')}: ${issue.message})` : ''}.`;
  }
  // The signature is not signed itself: nothing else may stand in it.
  const canonical = printExported({ ...document.data, signature: parsed.data.signature });
  if (canonical === undefined) return 'is no exported evidence: it is nested too deeply.';
  if (canonical !== text) return describeDifference(text, canonical);
  return { document: document.data, evidence: parsed.data };
};

const decodeText = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const hintFor = (text: string): string => {
  if (text.startsWith('\ufeff')) return ', since it begins with a byte order mark';
  return text.startsWith('{') ? '; is it cut off?' : '';
};

/** Undefined for what is nested deeper than this process can follow. */
const printExported = (document: object): string | undefined => {
  try {
    return exportedTextOf(document);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

const shownCharacters = 24;

const describeDifference = (text: string, canonical: string): string => {
  let at = 0;
  while (at < text.length && text[at] === canonical[at]) at++;
  const shown = (of: string): string =>
    at < of.length ? JSON.stringify(of.slice(at, at + shownCharacters)) : 'nothing more';
  return (
    `is not spelt as it was signed: at character ${at + 1} there is ${shown(text)} in place of ${shown(canonical)}. ` +
    'Signed is one text alone: members in the order of their names, each once, numbers and texts in their shortest form, no white space.'
  );
};

/** The faults of a document, in sentences; none when it says what was signed. */
const findFaults = (
  { document, evidence: { signature, result, statement } }: Exported,
  keys: PublicKeys,
  answer: string | undefined,
): readonly string[] => [
  ...findSignatureFaults(document, signature, keys),
  ...findAddressFaults(statement, signature),
  ...(result ? findResultFaults(result, statement.resultDigest, answer) : []),
  ...(answer !== undefined && !result
    ? ['does not have the digest of the rows, so these cannot be compared: its reader saw other rows.']
    : []),
];

const findSignatureFaults = (
  document: Exported['document'],
  { keyId, value }: ExportedEvidence['signature'],
  keys: PublicKeys,
): readonly string[] => {
  const key = keys.find(({ kid }) => kid === keyId);
  if (!key)
    return [`is signed with the key ${JSON.stringify(keyId)}, which is none of the ${keys.length} public keys.`];
  const signature = Buffer.from(value, 'base64url');
  if (signature.toString('base64url') !== value)
    return ['has a signature in another spelling than base64url without padding.'];
  return isSignatureOf(signedBytesOf(document), key, signature)
    ? []
    : ['was changed after it was signed, or was not signed by this key: the signature does not fit.'];
};

/** Where the keys are is said in the signature, which is not signed, and must be where the statement says that it is from. */
const findAddressFaults = (
  { installation }: ExportedEvidence['statement'],
  { keys }: ExportedEvidence['signature'],
): readonly string[] =>
  installation === undefined || keys === `${installation}${evidenceKeysPath}`
    ? []
    : ['names an address of keys that is not one of the installation that signed it.'];

/** A key of another kind fits nothing. */
const isSignatureOf = (bytes: Buffer, jwk: JsonWebKey, signature: Buffer): boolean => {
  if (jwk['crv'] !== 'Ed25519') return false;
  try {
    return verify(undefined, bytes, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    return false;
  }
};

const findResultFaults = (
  { salt, rows, rowsDigest }: NonNullable<ExportedEvidence['result']>,
  resultDigest: string,
  answer: string | undefined,
): readonly string[] => {
  const isResult = sha256(canonicalJson({ salt, rows, rowsDigest })) === resultDigest;
  return [
    ...(isResult ? [] : ['has a result that is not the one of its statement: resultDigest does not fit.']),
    ...(answer === undefined ? [] : findRowsFaults(answer, rowsDigest)),
  ];
};

const findRowsFaults = (answer: string, rowsDigest: string): readonly string[] => {
  const rows = cutOutRows(answer);
  if (rows === undefined)
    return ['cannot be compared with this answer: it needs rows in one place and no name twice, as it was sent.'];
  return sha256(rows) === rowsDigest ? [] : ['is not about these rows: their digest is another one.'];
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Where an answer has its rows; nothing else in it may look like them. */
const rowsPaths = [['content'], ['content', 'data'], ['data_frame_content', 'data'], ['insights']] as const;

/**
 * What stands between the brackets of the rows of an answer, as it was sent. Undefined when an object on the way has a name twice, or when
 * rows are in two places: then nobody can say which of them a reader takes.
 */
export const cutOutRows = (answer: string): string | undefined => {
  if (parseJson(answer) === undefined) return undefined;
  const found = rowsPaths.map((path) => valueAt(answer, path));
  if (found.includes('ambiguous')) return undefined;
  const lists = found.filter((value) => value?.startsWith('['));
  return lists.length === 1 ? lists[0]?.slice(1, -1) : undefined;
};

/** Of JSON that parses. */
const valueAt = (json: string, path: readonly string[]): string | undefined => {
  let value: string | undefined = json.trim();
  for (const name of path) {
    if (!value?.startsWith('{')) return undefined;
    const members: readonly Member[] = membersOf(value);
    if (new Set(members.map((member) => member.name)).size < members.length) return 'ambiguous';
    value = members.find((member) => member.name === name)?.value;
  }
  return value;
};

type Member = { readonly name: string; readonly value: string };

/** Of the outermost object, as they are written. */
const membersOf = (json: string): readonly Member[] => {
  const members: Member[] = [];
  let [start, colon, depth] = [1, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === '"') at = endOfText(json, at);
    else if (character === '[' || character === '{') depth++;
    else if (character === ':' && depth === 1) colon = at;
    else if (character === ']' || character === '}') depth--;
    const isEnd = (character === ',' && depth === 1) || (character === '}' && depth === 0);
    if (!isEnd) continue;
    const name = parseJson(json.slice(start, colon));
    if (typeof name === 'string') members.push({ name, value: json.slice(colon + 1, at).trim() });
    start = at + 1;
  }
  return members;
};

/** Where the text in quotes ends. */
const endOfText = (json: string, start: number): number => {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at;
};

const describeEvidence = (
  { statement, result, words, signature }: ExportedEvidence,
  areRowsCompared: boolean,
): readonly string[] => {
  const { askedAt, askedBy, installation, team, model, data, policies } = statement;
  const figures = (result?.figures ?? []).map(({ id, value }) => `${id} = ${value ?? 'no value'}`);
  return [
    `valid: as it was signed with the key ${signature.keyId}`,
    ...(installation === undefined ? [] : [`installation: ${installation}`]),
    `question: ${words}`,
    `asked: ${askedAt} by ${askedBy} of ${team}`,
    `model: ${model.id}, version ${model.version}`,
    `data: ${data.map(({ table, version = 'unknown' }) => `${table} version ${version}`).join(', ')}`,
    ...(policies.length > 0 ? [`restricted: ${policies.join(', ')}`] : []),
    ...(figures.length > 0 ? [`figures: ${figures.join(', ')}`] : []),
    ...(result ? [`rows: ${formatCount(result.rows)}${areRowsCompared ? ', the same as in the answer' : ''}`] : []),
  ];
};
