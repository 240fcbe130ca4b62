// How the scripts of the pages are written: a linter's rules, and a layout that `--fix` brings about. TypeScript looks for
// names that do not exist.
import js from '@eslint/js';
import stylistic from '@stylistic/eslint-plugin';

export default [
  js.configs.recommended,
  stylistic.configs.customize({ semi: true, braceStyle: '1tbs', arrowParens: true }),
  {
    rules: {
      'eqeqeq': 'error',
      'no-undef': 'off',
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      '@stylistic/max-len': ['error', { code: 160 }],
      '@stylistic/max-statements-per-line': ['error', { max: 3 }],
      '@stylistic/multiline-ternary': 'off',
      '@stylistic/quote-props': 'off',
    },
  },
];
