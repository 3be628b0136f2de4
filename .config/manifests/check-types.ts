/**
 * Checks every object against the types of Kubernetes and its operators: objects become literals that TypeScript
 * compiles strictly. An object of an unknown kind is a fault.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { workspaceRoot } from '../workspace/files.js';
import { type KubernetesObject, objectName } from './objects.js';

const packageByGroup: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};

/** The backup plugin has no package of types; its objects have the operator's former shape. */
const objectStore = `
import type { IObjectMeta } from '@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta';
import type { IBarmanObjectStoreConfiguration } from '@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration';
export type IObjectStore = {
  apiVersion: 'barmancloud.cnpg.io/v1';
  kind: 'ObjectStore';
  metadata: IObjectMeta;
  spec: { configuration: IBarmanObjectStoreConfiguration; retentionPolicy?: string };
};`;
const declared: Readonly<Record<string, string>> = { 'barmancloud.cnpg.io/v1/ObjectStore': './object-store.js' };

const moduleOf = ({ apiVersion, kind }: KubernetesObject): string => {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const path = `${apiVersion}/${kind}`;
  return declared[path] ?? `${packageByGroup[group] ?? 'kubernetes-models'}/${path}`;
};

const literalOf = (object: KubernetesObject): string =>
  `import type { I${object.kind} } from '${moduleOf(object)}';\nexport const object: I${object.kind} = ${JSON.stringify(object.tree)};\n`;

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  types: [],
};

/** The virtual files are placed where imports resolve to the packages of this workspace. */
const folder = join(workspaceRoot, '.config', 'manifests');

const hostOf = (texts: ReadonlyMap<string, string>): ts.CompilerHost => {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    fileExists: (file) => texts.has(file) || host.fileExists(file),
    readFile: (file) => texts.get(file) ?? host.readFile(file),
    getSourceFile: (file, version, onError) => {
      const text = texts.get(file);
      return text === undefined ? host.getSourceFile(file, version, onError) : ts.createSourceFile(file, text, version);
    },
  };
};

export const typeFaults = (objects: readonly KubernetesObject[]): readonly string[] => {
  // The same object of several systems is compiled once.
  const distinct = new Map(objects.map((object) => [literalOf(object), object]));
  const files = [...distinct].map(([text, object], index) => ({
    file: join(folder, `literal-${index}.ts`),
    text,
    object,
  }));
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  texts.set(join(folder, 'object-store.ts'), objectStore);
  const program = ts.createProgram([...texts.keys()], options, hostOf(texts));
  return files.flatMap(({ file, object }) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const path = source === undefined ? '' : pathAt(source, start);
      return `${objectName(object)}, ${path}: ${withoutLiterals(ts.flattenDiagnosticMessageText(messageText, ' '))}`;
    });
  });
};

/** `spec.template.spec.containers.0.ports`: the members around a position of a literal. */
const pathAt = (source: ts.SourceFile, position: number): string => {
  const steps = (node: ts.Node): readonly string[] => {
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    const index = children.findIndex((child) => child.getStart(source) <= position && position < child.end);
    const child = children[index];
    if (child === undefined) return [];
    const step = ts.isArrayLiteralExpression(node) ? [String(index)] : [];
    const name = ts.isPropertyAssignment(child) && ts.isStringLiteral(child.name) ? [child.name.text] : [];
    return [...step, ...name, ...steps(child)];
  };
  return steps(source).join('.');
};

/** The compiler quotes whole objects, and names of members twice. */
const withoutLiterals = (message: string): string =>
  message
    .replace(/in type '\{.*' but/s, 'but')
    .replaceAll(`'"`, `'`)
    .replaceAll(`"'`, `'`);
