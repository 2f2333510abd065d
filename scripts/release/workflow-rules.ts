import { Ajv } from 'ajv';
import { parseDocument } from 'yaml';
import { workflowSchema } from './workflow-schema.ts';

type Step = {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
};

type Job = {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly steps: readonly Step[];
};

type Workflow = {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};

type Scripts = Readonly<Record<string, unknown>>;

const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<Workflow>(
  workflowSchema,
);

/** What is wrong with a workflow file: its form, and what would be unsafe or fail only when it runs. */
export function checkWorkflow(source: string, scripts: Scripts): string[] {
  const document = parseDocument(source, { uniqueKeys: true });
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) return [`is no YAML: ${syntaxError.message}`];
  const workflow: unknown = document.toJS();
  if (!validate(workflow)) {
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }
  return [
    ...pinProblems(source),
    ...permissionProblems(workflow),
    ...Object.entries(workflow.jobs).flatMap(([name, job]) => [
      ...needsProblems(name, job, workflow),
      ...job.steps.flatMap((step) => stepProblems(name, step, scripts)),
      ...expressionProblems(name, job),
    ]),
  ];
}

/** A comment names the version of a pinned action, so that an update can be read. */
function pinProblems(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => /^\s*(- )?uses:/.test(line) && !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))
    .map((line) => `"${line.trim()}" has no comment with its version`);
}

/** By default a job may read. What may write or prove its identity says so itself. */
function permissionProblems({ permissions, jobs }: Workflow): string[] {
  const all = Object.entries(permissions).filter(([, access]) => access === 'write');
  const rights = Object.entries(jobs).filter(
    ([, job]) =>
      Object.values(job.permissions ?? {}).filter((access) => access === 'write').length > 1,
  );
  return [
    ...all.map(([name]) => `all jobs have the permission ${name}: write`),
    ...rights.map(([name]) => `the job ${name} has two permissions to write; split it`),
  ];
}

function needsProblems(name: string, { needs = [] }: Job, { jobs }: Workflow): string[] {
  return [needs]
    .flat()
    .filter((other) => !Object.hasOwn(jobs, other))
    .map((other) => `the job ${name} needs ${other}, which does not exist`);
}

function stepProblems(
  job: string,
  { uses, run = '', with: inputs }: Step,
  scripts: Scripts,
): string[] {
  const called = [...run.matchAll(/\bnpm run (?:--?\w+ )*([\w:-]+)/g)].map(([, name = '']) => name);
  return [
    // the value of an expression becomes part of the script
    ...(run.includes('${{') ? [`the job ${job} has an expression in a script; use env`] : []),
    ...(/\bnpm (?:install|i|add|update)\b|\bnpx (?:-y|--yes)\b|\|\s*(?:ba)?sh\b/.test(run)
      ? [`the job ${job} installs what no lockfile names`]
      : []),
    ...called
      .filter((name) => !Object.hasOwn(scripts, name))
      .map((name) => `the job ${job} runs the script ${name}, which does not exist`),
    ...(uses?.startsWith('actions/checkout@') && inputs?.['persist-credentials'] !== false
      ? [`the job ${job} leaves credentials in the checkout`]
      : []),
  ];
}

const CONTEXTS = ['github', 'matrix', 'runner', 'needs', 'steps', 'env'];
/** Names and texts that somebody without access to the repository chooses. */
const FOREIGN = /\bgithub\.(?:event\b|head_ref\b)/;

function expressionProblems(name: string, job: Job): string[] {
  const expressions = [...JSON.stringify(job).matchAll(/\$\{\{(.*?)\}\}/g)].map(([, text = '']) =>
    text.trim(),
  );
  return expressions.flatMap((expression) => {
    const [, context = '', field = ''] = /^(\w+)\.([\w-]+)/.exec(expression) ?? [];
    const isUnknown = !CONTEXTS.includes(context);
    const isMissing = context === 'matrix' && !Object.hasOwn(job.strategy?.matrix ?? {}, field);
    return [
      ...(isUnknown ? [`the job ${name} uses ${expression}, which is not known here`] : []),
      ...(isMissing ? [`the job ${name} uses ${expression}, which its matrix does not have`] : []),
      ...(FOREIGN.test(expression) ? [`the job ${name} uses ${expression} of somebody else`] : []),
    ];
  });
}
