/** The closed catalogue of failures: every code that a caller can meet, with its status, its title and what to do next. */
type CatalogueEntry = {
  readonly status: number;
  readonly title: string;
  /** What a person or a program can do about it. */
  readonly next: string;
};

const catalogueEntries = {
  ACCESS_UNAUTHORIZED: {
    status: 401,
    title: 'Unauthorized',
    next: 'Send a valid API key or bearer token; ask the operator for a new one when it has expired or was revoked.',
  },
  ADMIN_ACCESS_ERROR: {
    status: 403,
    title: 'Forbidden',
    next: 'Use a credential that has the scope which the message names.',
  },
  SESSION_REQUEST_REFUSED: {
    status: 403,
    title: 'Not a request of a page of the platform',
    next: 'Send it from a page of the platform, with X-Tessera-Request: 1 on what writes; or send a key or token.',
  },
  CONTENT_NOTFOUND: {
    status: 404,
    title: 'Not found',
    next: 'Start at the facet list of the storage and follow the addresses in the answers.',
  },
  CONTENT_CONFLICT: {
    status: 409,
    title: 'Conflict',
    next: 'Read the current state and decide again; the message names the way out.',
  },
  CONTENT_WARNING: {
    status: 409,
    title: 'Warning',
    next: 'Correct what the message names, or send the request again with ignoreWarnings=true.',
  },
  CONTENT_CHANGED: {
    status: 412,
    title: 'Changed meanwhile',
    next: 'Read it again and send the change with its current ETag in If-Match.',
  },
  CONTENT_FILTER_SYNTAX: {
    status: 400,
    title: 'Filter not understood',
    next: 'Correct the filter at the position that the message names.',
  },
  KM_MODEL_NOTFOUND: {
    status: 404,
    title: 'Knowledge model not found',
    next: 'List the knowledge models and use one of their ids.',
  },
  KM_RECORD_NOTFOUND: {
    status: 404,
    title: 'Record not found',
    next: 'List the records of the knowledge model and use one of their ids.',
  },
  KM_FIELD_NOTFOUND: {
    status: 400,
    title: 'Field not found',
    next: 'Read the record and use the ids of its fields.',
  },
  KM_FILTER_NOTFOUND: {
    status: 400,
    title: 'Filter not found',
    next: 'List the filters of the knowledge model and use their ids.',
  },
  KM_KPI_NOTFOUND: {
    status: 400,
    title: 'KPI not found',
    next: 'List the KPIs of the knowledge model and use their ids.',
  },
  KM_FILTER_SYNTAX: {
    status: 400,
    title: 'Filter not understood',
    next: 'Correct the filter at the position that the message names.',
  },
  KM_FILTER_TYPE: {
    status: 400,
    title: 'Value of another type',
    next: 'Compare the field with a value of its type; the message shows one.',
  },
  KM_JOIN_NOTFOUND: {
    status: 400,
    title: 'Records not related',
    next: 'Ask for fields and KPIs of records that relationships of the model connect.',
  },
  MODEL_POLICY_MISSING: {
    status: 400,
    title: 'Policy missing',
    next: 'Give the records that the message names a policy, or `rows: all` where everybody may see them.',
  },
  LOAD_TOO_FEW_ROWS: {
    status: 409,
    title: 'Too few rows',
    next: 'Load all rows, or commit with allowShrink or rowsMin (tessera load --allow-shrink) if so few are meant.',
  },
  SORT_UNKNOWN_FIELD: {
    status: 400,
    title: 'Sort by an unknown field',
    next: 'Sort by what is asked for; the message names it.',
  },
  SORT_HAS_OPPOSITE: {
    status: 400,
    title: 'Sort in both directions',
    next: 'Name each field once in the sort.',
  },
  SORT_IS_EMPTY: {
    status: 400,
    title: 'Sort without a field',
    next: 'Name a field in the sort, or leave the parameter out.',
  },
  GENERAL_PARAMETER_MISSMATCH: {
    status: 400,
    title: 'Parameters do not fit',
    next: 'Change the parameters that the message names: to the expected type, or to fit each other.',
  },
  GENERAL_PARAMETER_MISSING: {
    status: 400,
    title: 'Parameter missing',
    next: 'Send the parameter that the message names.',
  },
  GENERAL_PARAMETER_ILLEGAL: {
    status: 400,
    title: 'Parameter not accepted',
    next: 'Correct the parameter; the message says what is accepted.',
  },
  GENERAL_CONSTRAINT_VIOLATION: {
    status: 400,
    title: 'Constraint violated',
    next: 'Correct every fault that is listed and send the request again.',
  },
  GENERAL_BODY_MALFORMED: {
    status: 400,
    title: 'Body not understood',
    next: 'Send one JSON document in UTF-8 as application/json.',
  },
  GENERAL_BODY_TOOLARGE: {
    status: 413,
    title: 'Body too large',
    next: 'Send less in one request, or ask the operator to raise the limit.',
  },
  GENERAL_MEDIATYPE_UNSUPPORTED: {
    status: 415,
    title: 'Media type not supported',
    next: 'Send the body as application/json.',
  },
  ODATA_FORMAT_UNSUPPORTED: {
    status: 415,
    title: 'Format not supported',
    next: 'Ask for one of the formats that the message names, by $format or Accept.',
  },
  ODATA_OPTION_UNSUPPORTED: {
    status: 501,
    title: 'Option not supported',
    next: 'Leave the option out; the message says which there are.',
  },
  ODATA_PART_NOT_RUN: {
    status: 424,
    title: 'Part not run',
    next: 'Correct the part that failed before it, or send the batch with Prefer: continue-on-error.',
  },
  TOOL_ASSET_NOTFOUND: {
    status: 404,
    title: 'Asset not found',
    next: 'Use the id of an asset of the team; with draft=true also of one that was never published.',
  },
  TOOL_NOTFOUND: {
    status: 404,
    title: 'Tool not found',
    next: 'List the tools of the asset and use one of their ids.',
  },
  TOOL_ARGUMENTS_INVALID: {
    status: 422,
    title: 'Arguments do not fit',
    next: 'Correct every argument that is listed; the input schema of the tool says what fits.',
  },
  TOOL_FAILED: {
    status: 502,
    title: 'Tool failed',
    next: 'Try again later; when it goes on, tell the owner of the asset.',
  },
  TOOL_RESULT_INVALID: {
    status: 502,
    title: 'Result does not fit',
    next: 'Tell the owner of the asset: the result of the tool does not fit its output schema.',
  },
  LIMIT_ASSET_EXCEEDED: {
    status: 429,
    title: 'Too many tool calls',
    next: 'Wait for the seconds in Retry-After, or ask the owner of the asset for a higher limit.',
  },
  AGENT_NOTFOUND: {
    status: 404,
    title: 'Agent not found',
    next: 'List the agents and use one of their ids; with draft=true also one that was never published.',
  },
  AGENT_TOOL_NOTFOUND: {
    status: 404,
    title: 'Tool not found',
    next: "Read the specification of the agent's tools and use one of their ids.",
  },
  AGENT_CONVERSATION_NOTFOUND: {
    status: 404,
    title: 'Conversation not found',
    next: 'List your conversations with the agent and use one of their ids, or begin a new one without an id.',
  },
  AGENT_CONVERSATION_BUSY: {
    status: 409,
    title: 'Conversation busy',
    next: 'Wait for the answer to the message before; send this one again after the seconds in Retry-After.',
  },
  AGENT_ARGUMENTS_INVALID: {
    status: 400,
    title: 'Arguments do not fit',
    next: "Correct every argument that is listed; the specification of the agent's tools says what fits.",
  },
  AGENT_MODEL_UNAVAILABLE: {
    status: 503,
    title: 'Language model unavailable',
    next: 'Send the message again after the seconds in Retry-After; when it goes on, tell the owner of the agent.',
  },
  MCP_ORIGIN_REFUSED: {
    status: 403,
    title: 'Origin not allowed',
    next: 'Ask the operator to allow the origin of the page, or call from a program that is no browser.',
  },
  GENERAL_METHOD_NOTALLOWED: {
    status: 405,
    title: 'Method not allowed',
    next: 'Use a method that the header Allow names.',
  },
  GENERAL_NOTFOUND_PATH: {
    status: 404,
    title: 'Path not found',
    next: 'Compare the method and the path with /openapi.json.',
  },
  GENERAL_NOTFOUND: {
    status: 404,
    title: 'Not found',
    next: 'List what there is and use one of the ids in the list.',
  },
  GENERAL_CONFLICT: {
    status: 409,
    title: 'Conflict',
    next: 'Read the current state and decide again; the message names the way out.',
  },
  GENERAL_IDEMPOTENCY_MISMATCH: {
    status: 422,
    title: 'Idempotency key used for another request',
    next: 'Send another request with another Idempotency-Key, and the same request with the same one.',
  },
  GENERAL_IDEMPOTENCY_RUNNING: {
    status: 409,
    title: 'Call still running',
    next: 'Send the same request with the same Idempotency-Key again after the seconds in Retry-After.',
  },
  LIMIT_RATE_EXCEEDED: {
    status: 429,
    title: 'Too many requests',
    next: 'Wait until the instant in X-RateLimit-Reset, or ask the operator for a higher limit.',
  },
  ADMIN_FATAL_ERROR: {
    status: 500,
    title: 'Internal error',
    next: 'Report the request id; the log holds the cause under it.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'Service unavailable',
    next: 'Try again after the seconds in Retry-After.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type FailureCode = keyof typeof catalogueEntries;

export const failureCatalogue: Readonly<Record<FailureCode, CatalogueEntry>> = catalogueEntries;

/** The code when `text` is one of the catalogue, else undefined; for what arrives over the wire. */
export const parseFailureCode = (text: string): FailureCode | undefined =>
  Object.hasOwn(catalogueEntries, text) ? (text as FailureCode) : undefined;
