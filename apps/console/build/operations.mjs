/** The operations of the contracts as pages need them: how each is called, by the name that the contracts export it under. */
import * as agents from '@tessera/contracts/agents';
import * as contentRepo from '@tessera/contracts/content-repo';
import * as gateway from '@tessera/contracts/gateway';
import * as knowledgeModels from '@tessera/contracts/knowledge-models';
import * as toolGateway from '@tessera/contracts/tool-gateway';

const isOperation = (value) => typeof value === 'object' && value !== null && 'http' in value;

/** Throws when two owners export an operation by the same name. */
export const operationsIn = (owners) => {
  const found = {};
  for (const [name, value] of owners.flatMap((owner) => Object.entries(owner))) {
    if (!isOperation(value)) continue;
    if (name in found) throw new Error(`Two operations are exported as ${name}.`);
    const { group, method, path, body, headers } = value.http;
    found[name] = { group, method, path, ...(body && { body }), ...(headers && { headers }) };
  }
  return found;
};

/** Name -> `{group, method, path, body?, headers?}`. */
export const operations = operationsIn([agents, contentRepo, gateway, knowledgeModels, toolGateway]);
