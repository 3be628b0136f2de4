/**
 * One ESLint configuration for all projects. Layout belongs to prettier; rules over files, names and imports to
 * tidy.spec.ts and boundaries.spec.ts.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { tessera } from './eslint-rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const specs = ['**/*.spec.ts', '**/*.int-spec.ts', '**/*.e2e-spec.ts', '**/testing/**', '**/apps/e2e/**'];

export default defineConfig(
  { ignores: ['**/dist/**', '**/node_modules/**'] },
  {
    files: ['**/*.ts'],
    extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
    plugins: { tessera },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-param-reassign': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An interface is for widening one of a library, inside `declare module`.
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSInterfaceDeclaration:not(TSModuleDeclaration TSInterfaceDeclaration)',
          message: 'Data is a `type`; it cannot be widened from elsewhere.',
        },
      ],
      // Files with decorators are left alone by this rule: there a class is imported as a value because it is injected.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: true },
      ],
      // Texts of JSON and of the terminal are full of them.
      'no-control-regex': 'off',
      // Methods are taken off their object on purpose or not at all.
      '@typescript-eslint/unbound-method': 'off',
      // A handler answers a promise because its interface says so, whether it waits or not.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'tessera/no-default-export': 'error',
      'tessera/no-process-env': 'error',
      'tessera/no-console': 'error',
      'tessera/inject-values': 'error',
    },
  },
  {
    // What a test reads from a body or a log is `any` until it is compared.
    files: specs,
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
