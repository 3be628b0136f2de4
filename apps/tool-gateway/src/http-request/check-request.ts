import type { HttpRequestTool } from '@tessera/contracts/tool-gateway';
import { type Fault, type FaultList, createFaultList } from '@tessera/failures';
import { checkSchema, isSchemaObject } from '@tessera/json-schema';
import { findAllowedHost, findUnlistedHostFault } from '@tessera/outgoing-http';
import { findHeaderFaults, secretNamesIn } from '@tessera/service-kit';
import { hasBody } from './build-request.js';
import { isJsonContentType } from './exchange.js';
import type { RequestContext } from './request-context.js';
import { getFixedQueryNames, parseRequestTemplate, type RequestTemplate } from './request-template.js';
import { findSecretFault } from './secrets.js';

/** Paths are those inside the definition of the tool. */
export const checkHttpRequest = (
  definition: HttpRequestTool,
  requestContext: Pick<RequestContext, 'team' | 'hosts' | 'secrets'>,
): readonly Fault[] => {
  const faults = createFaultList('body');
  const { request, inputSchema, outputSchema } = definition;
  checkSchema(inputSchema, ['inputSchema'], faults);
  if (outputSchema) checkSchema(outputSchema, ['outputSchema'], faults);
  const template = parseRequestTemplate(request.url);
  if (!template.ok) {
    for (const message of template.faults) faults.add(['request', 'url'], 'url', message);
    return faults.faults;
  }
  checkHost(template.value, requestContext, faults);
  checkArguments(definition, template.value, faults);
  checkHeaders(request.headers ?? {}, { ...requestContext, hostName: template.value.origin.hostname }, faults);
  return faults.faults;
};

const checkHost = (
  { origin }: RequestTemplate,
  requestContext: Pick<RequestContext, 'team' | 'hosts'>,
  faults: FaultList,
): void => {
  const isListed = findAllowedHost(requestContext, origin) !== undefined;
  const listedFault = origin.port === '' ? undefined : 'expected no port; the operator has said where the host is';
  const fault = isListed ? listedFault : findUnlistedHostFault(origin);
  if (fault !== undefined) faults.add(['request', 'url'], 'host', fault);
};

const scalarTypes = ['string', 'integer', 'number', 'boolean'];

const checkArguments = (
  { request, inputSchema }: HttpRequestTool,
  template: RequestTemplate,
  faults: FaultList,
): void => {
  const properties = isSchemaObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  const required: unknown = inputSchema['required'];
  for (const name of template.argumentNames) {
    if (!Object.hasOwn(properties, name)) {
      faults.unknown(['request', 'url'], 'argument', name, Object.keys(properties));
      continue;
    }
    if (!Array.isArray(required) || !required.includes(name))
      faults.add(['inputSchema', 'required'], 'required', `expected "${name}", which the address needs`);
    if (!scalarTypes.includes(String(schemaType(properties[name]))))
      faults.add(
        ['inputSchema', 'properties', name, 'type'],
        'type',
        `expected one of ${scalarTypes.join(', ')}, since the address needs it`,
      );
  }
  if (hasBody(request.method)) return;
  const fixed = getFixedQueryNames(template);
  for (const [name, schema] of Object.entries(properties)) {
    if (template.argumentNames.has(name)) continue;
    if (fixed.has(name))
      faults.add(['inputSchema', 'properties', name], 'name', 'expected another name; the query of the address has it');
    if (schemaType(schema) === 'object')
      faults.add(
        ['inputSchema', 'properties', name, 'type'],
        'type',
        `expected no object, since it goes into the query of ${request.method}`,
      );
  }
};

const schemaType = (schema: unknown): unknown => (isSchemaObject(schema) ? schema['type'] : undefined);

const checkHeaders = (
  headers: Readonly<Record<string, string>>,
  place: Parameters<typeof findSecretFault>[0],
  faults: FaultList,
): void => {
  for (const [name, fault] of findHeaderFaults(headers)) faults.add(['request', 'headers', name], 'header', fault);
  for (const [name, value] of Object.entries(headers)) {
    const path = ['request', 'headers', name];
    if (name.toLowerCase() === 'content-type' && !isJsonContentType(value))
      faults.add(path, 'header', 'expected application/json');
    for (const secret of secretNamesIn(value)) {
      const fault = findSecretFault(place, secret);
      if (fault !== undefined) faults.add(path, 'secret', fault);
    }
    if (/\{[A-Za-z_][\w-]*\}/.test(value))
      faults.add(path, 'header', 'expected no argument; only {secret:NAME} stands in headers');
  }
};
