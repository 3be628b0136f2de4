/** Evidence of the answers of a spec: asking for it, reading and replaying it. */
import { evidenceHeader, type ByteReply, type ReplyOf } from '@tessera/contracts';
import type { readEvidence, replayEvidence } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { CallerModels } from '../catalog/caller-models.js';
import { EvidenceHandler } from '../evidence/evidence.handler.js';
import { QuestionReplay } from '../evidence/question-replay.js';
import { RecordedModels } from '../evidence/recorded-models.js';
import { InsightsReader } from '../tools/insights-reader.js';
import { companyModel, companyTables, financeCaller } from './company.js';
import { callerContextOf, readBodyText, type Fixture, type TestCaller } from './fixture.js';
import type { QueryClient } from './query-client.js';

type TeamCaller = { readonly team: string } & TestCaller;

export type EvidenceClient = {
  readonly read: (reader: TeamCaller, id: string) => Promise<Result<ReplyOf<typeof readEvidence>>>;
  readonly replay: (reader: TeamCaller, id: string) => Promise<Result<ReplyOf<typeof replayEvidence>>>;
};

/** Over the cache and the records of the query client. */
export const openEvidenceClient = (
  fixture: Fixture,
  { models, runner, evidenceLog }: Pick<QueryClient, 'models' | 'runner' | 'evidenceLog'>,
): EvidenceClient => {
  const recorded = new RecordedModels(new CallerModels(fixture.catalogs), fixture.source);
  const replays = new QuestionReplay(models, runner, new InsightsReader(models, runner));
  const handler = new EvidenceHandler(evidenceLog, fixture.source, recorded, models, replays);
  const contextOf = ({ team, ...caller }: TeamCaller) => callerContextOf(team, caller);
  return {
    read: (reader, evidence_id) => handler.read({ evidence_id }, contextOf(reader)),
    replay: (reader, evidence_id) => handler.replay({ evidence_id }, contextOf(reader)),
  };
};

/** The id in the address that an answer carries; throws when it carries none. */
const evidenceIdOf = (reply: ByteReply): string => {
  const address = reply.headers?.[evidenceHeader];
  if (address === undefined) throw new Error('The answer has no evidence.');
  return address.slice(address.lastIndexOf('/') + 1);
};

/** A team with its own data, so that what one test changes is nobody else's. */
export const openCompany = async (fixture: Fixture, name: string, published = companyModel) => {
  await fixture.publish(name, published);
  await fixture.load(name, ...companyTables);
  return { anybody: { team: name }, financial: { team: name, ...financeCaller } };
};

/** Throws for a failure. */
export const unwrap = async <Value>(answer: Promise<Result<Value>>): Promise<Value> => {
  const result = await answer;
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return result.value;
};

type Kept = { readonly id: string; readonly text: string; readonly reply: ByteReply };

/** An answer with the id of its evidence. */
export const keep = async (answer: Promise<Result<ByteReply>>): Promise<Kept> => {
  const reply = await unwrap(answer);
  return { reply, text: await readBodyText(reply), id: evidenceIdOf(reply) };
};
