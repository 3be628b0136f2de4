/**
 * The assets of the demo: tools over the purchase-to-pay model and the content of a company. That of meridian has one
 * more, which acts in the ERP, and its draft yet another.
 */
import type { AgentToolsAssetDefinition, ToolDefinition } from '@tessera/contracts/tool-gateway';

const knowledgeModel = 'p2p.base-km';

/** The host of the ERP as definitions name it; nobody can own a name that ends so. */
export const erpHost = 'erp.meridian.example';
/** The secret that its requests carry. */
export const erpSecretName = 'ERP_TOKEN';

const invoiceNo = {
  type: 'string',
  pattern: '^[0-9]{10}$',
  description: 'The number of the invoice in the books, INVOICE.INVOICE_NO: ten digits, e.g. 5100000001.',
};
const invoiceState = {
  type: 'object',
  required: ['invoiceNo', 'status'],
  properties: {
    invoiceNo: { type: 'string', description: 'The number of the invoice.' },
    status: { type: 'string', enum: ['released', 'blocked'], description: 'Whether it may be paid.' },
    reason: { type: 'string', description: 'Why it is blocked.' },
  },
};
const erpHeaders = { Authorization: `Bearer {secret:${erpSecretName}}` };

const blockInvoice: ToolDefinition = {
  ...{ kind: 'http-request', id: 'block-invoice', name: 'Block an invoice' },
  description:
    'Blocks one invoice for payment in the ERP, so that it is not paid until somebody releases it there. Use it only when the user has asked for it, and name the reason. To find invoices use load-data.',
  request: { method: 'POST', url: `https://${erpHost}/invoices/{invoiceNo}/block`, headers: erpHeaders },
  inputSchema: {
    type: 'object',
    required: ['invoiceNo', 'reason'],
    properties: {
      invoiceNo,
      reason: {
        ...{ type: 'string', minLength: 3, maxLength: 200 },
        description: 'Why it must not be paid, for the accountant who reads it.',
      },
    },
    additionalProperties: false,
  },
  outputSchema: invoiceState,
};

const invoiceStatus: ToolDefinition = {
  ...{ kind: 'http-request', id: 'invoice-status', name: 'State of an invoice' },
  description:
    'Tells whether one invoice is blocked or released for payment in the ERP now, and why. The knowledge model says how it was when the data were loaded.',
  request: { method: 'GET', url: `https://${erpHost}/invoices/{invoiceNo}`, headers: erpHeaders },
  inputSchema: {
    ...{ type: 'object', required: ['invoiceNo'], properties: { invoiceNo } },
    additionalProperties: false,
  },
  outputSchema: invoiceState,
};

/** Whose tools they are, and where its content is. */
type Company = { readonly name: string; readonly storage: string };

const readingTools = ({ name, storage }: Company): readonly ToolDefinition[] => [
  {
    ...{ kind: 'search-data', id: 'search-data', name: 'Find names', knowledgeModel },
    description:
      'Finds the ids of KPIs, fields, filters and values of purchase to pay by words, in English or German, also when they are misspelt. Call it first, with every word of the question that could be one of them; load-data and get-insights take the ids.',
  },
  {
    ...{ kind: 'load-data', id: 'load-data', name: 'Load figures', knowledgeModel },
    description:
      'Answers rows of figures: KPIs (like LOST_DISCOUNT) by fields (like PURCHASE_ORDER.PLANT), filtered, sorted and paged. Without a KPI it lists records, e.g. invoices with INVOICE.INVOICE_NO and INVOICE.GROSS_AMOUNT.',
  },
  {
    ...{ kind: 'get-knowledge-model', id: 'get-knowledge-model', name: 'Describe the data', knowledgeModel },
    description:
      'Lists every record with its fields, every KPI and every filter of purchase to pay with what they mean. It is long; to find single ones use search-data.',
  },
  {
    ...{ kind: 'get-insights', id: 'get-insights', name: 'Explain a KPI', knowledgeModel },
    description:
      'Tells which values of the given fields drive a KPI: which plants, suppliers or months are better or worse than the whole, best first. Use it for questions that ask why or where.',
  },
  {
    ...{ kind: 'find-content', id: 'find-content', name: 'Find processes', storage },
    description: `Finds processes, roles, risks, controls, systems and documents of ${name} by their names: how the work should be done and who is responsible. It has no figures.`,
  },
];

const meridianReadingTools = readingTools({ name: 'Meridian Coatings', storage: 'meridian/p2p' });
const northgateReadingTools = readingTools({ name: 'Northgate', storage: 'northgate/p2p' });
const howToRead =
  'Find ids with search-data before you ask load-data or get-insights for figures. Amounts are in EUR; today is 2026-06-30. Say which filters you used.';

const toolsAsset = (tools: readonly ToolDefinition[]): AgentToolsAssetDefinition => ({
  ...{ kind: 'AgentToolsAsset', id: 'p2p-tools', name: 'Purchase to pay' },
  description: 'Figures of purchase to pay, the processes behind them, and invoices in the ERP of Meridian Coatings.',
  instructions: `${howToRead} Block an invoice only when the user asks for it.`,
  tools: [...tools],
});

/** As it is published, and as its draft has it. */
export const p2pToolAssets = {
  published: toolsAsset([...meridianReadingTools, blockInvoice]),
  draft: toolsAsset([...meridianReadingTools, blockInvoice, invoiceStatus]),
};

/** The same id for another company: whoever calls it meets the data of the own team. */
export const northgateToolAsset: AgentToolsAssetDefinition = {
  ...{ kind: 'AgentToolsAsset', id: 'p2p-tools', name: 'Purchase to pay' },
  description: 'Figures of purchase to pay and the processes behind them at Northgate.',
  instructions: howToRead,
  tools: [...northgateReadingTools],
};
