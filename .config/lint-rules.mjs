/**
 * Own rules of the linter: who reads the environment, who writes to the terminal, what is imported as a type, and that an
 * injected class is imported as a value. Paths are those of the workspace, whatever folder the linter was started in.
 */
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentReaders, terminalWriters } from './allowances.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const isIn = (context, folders) => {
  const path = relative(root, context.filename).replaceAll('\\', '/');
  return folders.some((folder) => path.startsWith(folder));
};

const member = (object, property) =>
  `MemberExpression[object.name='${object}']${property ? `:matches([property.name='${property}'], [property.value='${property}'])` : ''}`;

const isDecorated = (node) => node.decorators?.length > 0;

/** Classes that the container makes; others with a decorator are made by hand. */
const isMadeByContainer = (node) =>
  (node.decorators ?? []).some(({ expression }) => /^(Injectable|Controller)$/.test(expression.callee?.name ?? ''));

/** The class names that a parameter of a constructor asks the container for; one with @Inject asks by token. */
const injectedName = (parameter) => {
  if (isDecorated(parameter)) return undefined;
  const target = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter;
  const type = target.typeAnnotation?.typeAnnotation;
  return type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName : undefined;
};

const noDefaultExport = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { found: 'Export by name; only configuration files export a default.' },
  },
  create: (context) => ({
    ExportDefaultDeclaration: (node) => context.report({ node, messageId: 'found' }),
    "ExportSpecifier[exported.name='default']": (node) => context.report({ node, messageId: 'found' }),
  }),
};

const noProcessEnv = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      found: 'Take the value from the configuration that was read at start; nothing else reads process.env.',
    },
  },
  create: (context) =>
    isIn(context, environmentReaders)
      ? {}
      : { [member('process', 'env')]: (node) => context.report({ node, messageId: 'found' }) },
};

const noConsole = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { found: 'Log by the logger of the service kit; it redacts and is JSON.' },
  },
  create: (context) =>
    isIn(context, terminalWriters)
      ? {}
      : { [member('console')]: (node) => context.report({ node, messageId: 'found' }) },
};

const injectValues = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      found: '{{name}} is injected, so it must be imported as a value: a type import compiles and fails at start.',
    },
  },
  create: (context) => {
    const typeNames = new Set();
    return {
      ImportSpecifier: (node) => {
        if (node.importKind === 'type' || node.parent.importKind === 'type') typeNames.add(node.local.name);
      },
      "MethodDefinition[kind='constructor']": (node) => {
        if (!isMadeByContainer(node.parent.parent)) return;
        for (const name of node.value.params.map(injectedName))
          if (name && typeNames.has(name.name))
            context.report({ node: name, messageId: 'found', data: { name: name.name } });
      },
    };
  },
};

const dataIsType = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { found: 'Data is a `type`; an interface could be widened from elsewhere.' },
  },
  create: (context) => ({
    // An interface is for widening one of a library, inside `declare module`.
    'TSInterfaceDeclaration:not(TSModuleDeclaration TSInterfaceDeclaration)': (node) =>
      context.report({ node, messageId: 'found' }),
  }),
};

const isOfType = ({ isValueReference, identifier }) => !isValueReference || identifier.parent.type === 'TSTypeQuery';

/** In a file with decorators a class is imported as a value because it is injected. */
const typeImports = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { found: '{{name}} is used as a type only, so it must be imported as one.' },
  },
  create: (context) => {
    const specifiers = [];
    let isDecorated = false;
    return {
      Decorator: () => {
        isDecorated = true;
      },
      'ImportDeclaration[importKind!="type"] > [importKind!="type"].specifiers': (node) => specifiers.push(node),
      'Program:exit': () => {
        if (isDecorated) return;
        for (const node of specifiers)
          for (const { name, references } of context.sourceCode.getDeclaredVariables(node))
            if (references.length > 0 && references.every(isOfType))
              context.report({ node, messageId: 'found', data: { name } });
      },
    };
  },
};

export default {
  meta: { name: 'tessera' },
  rules: {
    'no-default-export': noDefaultExport,
    'no-process-env': noProcessEnv,
    'no-console': noConsole,
    'inject-values': injectValues,
    'data-is-type': dataIsType,
    'type-imports': typeImports,
  },
};
