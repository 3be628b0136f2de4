/** CSDL checked by the schemas of the standard and a public converter; nothing here is Tessera's own. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { validateXML } from 'xmllint-wasm';

const require = createRequire(import.meta.url);
const schemaText = (fileName: string): string =>
  readFileSync(require.resolve(`odata-csdl/schemas/${fileName}`), 'utf8');
const schemaFile = (fileName: string) => ({ fileName, contents: schemaText(fileName) });

/** The faults of CSDL XML documents that refer to each other. */
export const validateCsdlXml = async (documents: readonly string[]): Promise<readonly string[]> => {
  const xml = documents.map((contents, at) => ({ fileName: `${at}.xml`, contents }));
  const { valid, errors } = await validateXML({
    xml,
    schema: [schemaFile('edmx.xsd')],
    preload: [schemaFile('edm.xsd')],
    maxMemoryPages: 2_048,
  });
  return valid ? [] : ['not valid', ...errors.map(({ message }) => message)];
};

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
const jsonSchema: unknown = JSON.parse(schemaText('csdl.schema.json'));
if (typeof jsonSchema !== 'object' || jsonSchema === null) throw new Error('csdl.schema.json is not a schema.');
const isCsdl = ajv.compile(jsonSchema);

/** The faults of a CSDL JSON document. */
export const validateCsdlJson = (document: string): readonly string[] =>
  isCsdl(JSON.parse(document)) ? [] : ['not valid', ...(isCsdl.errors ?? []).map((error) => JSON.stringify(error))];

/** The package has no types. */
const isConverter = (loaded: unknown): loaded is { readonly xml2json: (xml: string) => unknown } =>
  typeof loaded === 'object' && loaded !== null && 'xml2json' in loaded && typeof loaded.xml2json === 'function';

const converter: unknown = require('odata-csdl');

/** The parsed CSDL JSON of a CSDL XML document; line ends in texts are line feeds. */
export const csdlXmlToJson = (xml: string): unknown => {
  if (!isConverter(converter)) throw new Error('odata-csdl has no xml2json.');
  return converter.xml2json(xml);
};
