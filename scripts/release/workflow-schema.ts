/**
 * The part of GitHub's workflow syntax that this repository uses, as a JSON schema. It is strict on purpose: a misspelled key is ignored by
 * nobody, and a key that is new here is added here.
 */

const text = { type: 'string', minLength: 1 } as const;
const scalar = { type: ['string', 'number', 'boolean'] } as const;
const values = { type: 'object', additionalProperties: scalar } as const;
const condition = { type: ['string', 'boolean'] } as const;

const permissions = {
  type: 'object',
  additionalProperties: false,
  properties: {
    contents: { enum: ['read', 'write'] },
    'id-token': { const: 'write' },
  },
} as const;

const step = {
  type: 'object',
  additionalProperties: false,
  oneOf: [{ required: ['uses'] }, { required: ['run'] }],
  properties: {
    name: text,
    id: text,
    if: condition,
    uses: { type: 'string', pattern: '^[\\w.-]+/[\\w./-]+@[0-9a-f]{40}$' },
    with: values,
    run: text,
    env: values,
    'working-directory': text,
  },
} as const;

const job = {
  type: 'object',
  additionalProperties: false,
  required: ['runs-on', 'timeout-minutes', 'steps'],
  properties: {
    name: text,
    needs: { anyOf: [text, { type: 'array', items: text, minItems: 1 }] },
    if: condition,
    'runs-on': { enum: ['ubuntu-24.04', 'ubuntu-24.04-arm'] },
    'timeout-minutes': { type: 'integer', minimum: 1, maximum: 120 },
    environment: text,
    permissions,
    env: values,
    strategy: {
      type: 'object',
      additionalProperties: false,
      required: ['matrix'],
      properties: {
        'fail-fast': { type: 'boolean' },
        matrix: { type: 'object', additionalProperties: { type: 'array', items: scalar } },
      },
    },
    steps: { type: 'array', minItems: 1, items: step },
  },
} as const;

const patterns = { type: 'array', items: text, minItems: 1 } as const;

const trigger = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { branches: patterns, tags: patterns },
} as const;

export const workflowSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'on', 'permissions', 'jobs'],
  properties: {
    name: text,
    on: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      // `pull_request_target` runs foreign code with the permissions of the repository
      properties: { push: trigger, pull_request: trigger, workflow_dispatch: { type: 'null' } },
    },
    permissions,
    concurrency: {
      type: 'object',
      additionalProperties: false,
      required: ['group'],
      properties: { group: text, 'cancel-in-progress': condition },
    },
    jobs: { type: 'object', minProperties: 1, additionalProperties: job },
  },
} as const;
