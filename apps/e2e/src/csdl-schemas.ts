/** The schemas and the converter of CSDL that the makers of the standard publish. Refuses: anything of ours. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
// @ts-expect-error The package has no types.
import { xml2json } from 'odata-csdl';
import { validateXML } from 'xmllint-wasm';

const { resolve } = createRequire(import.meta.url);
const textOfSchema = (fileName: string): string => readFileSync(resolve(`odata-csdl/schemas/${fileName}`), 'utf8');
const schemaFile = (fileName: string) => ({ fileName, contents: textOfSchema(fileName) });

/** What is wrong with a document of CSDL XML. */
export const faultsOfXml = async (document: string): Promise<readonly string[]> => {
  const { errors } = await validateXML({
    xml: [{ fileName: 'metadata.xml', contents: document }],
    schema: [schemaFile('edmx.xsd')],
    preload: [schemaFile('edm.xsd')],
  });
  return errors.map(({ message }) => message);
};

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
const isCsdl = ajv.compile(JSON.parse(textOfSchema('csdl.schema.json')));

/** The same of CSDL JSON. */
export const faultsOfJson = (document: unknown): readonly string[] =>
  isCsdl(document) ? [] : (isCsdl.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

/** A document of CSDL XML in the other notation. */
export const jsonOfXml: (document: string) => unknown = xml2json;
