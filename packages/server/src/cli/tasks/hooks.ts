import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError, formatError } from '@tidegate/core/base';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CreatedHook, DeliveryList, HookList } from '../../features/hooks/schema.ts';
import type { Config } from '../settings/settings.ts';
import { formatTable } from '../terminal/text-table.ts';

type Input = {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  readonly config: Config;
};

type Request = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};

const REQUEST_MS = 30_000;
const TEST_POLL_MS = 250;
/** Longer than an attempt may take. */
const TEST_WAIT_MS = 20_000;

const hookList = Compile(HookList);
const createdHook = Compile(CreatedHook);
const deliveryList = Compile(DeliveryList);
const replayed = Compile(Type.Object({ deliveries: Type.Integer() }));
const storedTest = Compile(Type.Object({ delivery: Type.String() }));
const rotated = Compile(Type.Object({ secret: Type.String(), previousSecretUntil: Type.String() }));

const pathOf = (id: string | undefined, rest = ''): string =>
  `/hooks/${encodeURIComponent(id ?? '')}${rest}`;

export async function printHooks(input: Input): Promise<string> {
  const { hooks } = expectForm(hookList, await call(input, { method: 'GET', path: '/hooks' }));
  if (hooks.length === 0) return 'No webhooks. Create one with: tidegate hooks add URL --type TYPE';
  const rows = hooks.map(({ id, state, trigger, url }) => {
    const { type, ...fields } = trigger;
    const details = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    return [id, state, type, details.join(' '), url];
  });
  return formatTable(['ID', 'STATE', 'TYPE', 'TRIGGER', 'URL'], rows);
}

const TRIGGER_FIELDS = [
  ...['type', 'obligation', 'wallet', 'vault', 'reserve', 'program', 'metric', 'cap'],
  ...['threshold', 'hysteresis', 'direction'],
];

export async function addHook(input: Input): Promise<string> {
  const { args, flags } = input;
  const fields = TRIGGER_FIELDS.filter((name) => flags[name] !== undefined);
  const trigger = Object.fromEntries(fields.map((name) => [name, flags[name]]));
  const { description } = flags;
  const body = { url: args[0], trigger, ...(description !== undefined && { description }) };
  const created = await call(input, { method: 'POST', path: '/hooks', body });
  const { id, secret } = expectForm(createdHook, created);
  process.stderr.write('Store this secret now: it is not shown again.\n');
  return `${id}\n${secret}`;
}

export async function removeHook(input: Input): Promise<string> {
  const [id] = input.args;
  await call(input, { method: 'DELETE', path: pathOf(id) });
  return `Removed ${id}.`;
}

export async function reactivateHook(input: Input): Promise<string> {
  const [id] = input.args;
  await call(input, { method: 'POST', path: pathOf(id, '/enable') });
  return `Enabled ${id}.`;
}

export async function rotateSecret(input: Input): Promise<string> {
  const [id] = input.args;
  const answer = await call(input, { method: 'POST', path: pathOf(id, '/rotate-secret') });
  const { secret, previousSecretUntil } = expectForm(rotated, answer);
  process.stderr.write(
    `Store this secret now: it is not shown again. The one before signs until ${previousSecretUntil}.\n`,
  );
  return secret;
}

export async function printDeliveries(input: Input): Promise<string> {
  const { state, limit } = input.flags;
  const { deliveries } = await readDeliveries(input, { state, limit });
  if (deliveries.length === 0) return 'No deliveries.';
  const rows = deliveries.map(({ id, type, slot, createdAt, state: result, attempts }) => {
    const last = attempts.at(-1);
    const outcome = last === undefined ? '' : (last.error ?? `${last.status}`);
    return [id, createdAt, type, slot, result, `${attempts.length}`, outcome];
  });
  return formatTable(['ID', 'STORED', 'TYPE', 'SLOT', 'STATE', 'ATTEMPTS', 'LAST'], rows);
}

export async function requestReplay(input: Input): Promise<string> {
  const { args, flags } = input;
  const { delivery, since, until } = flags;
  const body = {
    ...(delivery !== undefined && { delivery }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  const answer = await call(input, { method: 'POST', path: pathOf(args[0], '/replay'), body });
  const { deliveries } = expectForm(replayed, answer);
  return `${deliveries} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} sent again.`;
}

export async function sendTest(input: Input): Promise<string> {
  const [id] = input.args;
  const answer = await call(input, { method: 'POST', path: pathOf(id, '/test') });
  const { delivery } = expectForm(storedTest, answer);
  const end = performance.now() + TEST_WAIT_MS;
  while (performance.now() < end) {
    const { deliveries } = await readDeliveries(input, { limit: '100' });
    const attempt = deliveries.find((each) => each.id === delivery)?.attempts[0];
    if (attempt !== undefined) {
      return attempt.error === null
        ? `${delivery} was delivered: ${attempt.status} after ${attempt.durationMs} ms.`
        : `${delivery} failed: ${attempt.error}. It is sent again later; hooks log shows it.`;
    }
    await sleep(TEST_POLL_MS);
  }
  return `${delivery} is stored, but was not sent yet. Is the webhook disabled? See hooks list.`;
}

async function readDeliveries(input: Input, query: Request['query']) {
  const path = pathOf(input.args[0], '/deliveries');
  return expectForm(deliveryList, await call(input, { method: 'GET', path, query: query ?? {} }));
}

/** Throws SOURCE_UNAVAILABLE or SOURCE_REFUSES with the reason of the server. */
async function call({ flags, config }: Input, { method, path, query, body }: Request) {
  const url = new URL(path, config.tidegateUrl);
  for (const [name, value] of Object.entries({ env: flags['env'], ...query })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const { tidegateApiKey: apiKey } = config;
  const headers = {
    ...(apiKey !== '' && { 'x-api-key': apiKey }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    accept: 'application/problem+json',
  };
  const source = url.origin;
  const request = { method, headers, signal: AbortSignal.timeout(REQUEST_MS) };
  const response = await fetch(url, {
    ...request,
    redirect: 'error',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new CodedError('SOURCE_UNAVAILABLE', { source, reason: formatError(error) }, error);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  throw new CodedError('SOURCE_REFUSES', { source, reason: reasonOf(answer, response.status) });
}

const problem = Compile(
  Type.Object({
    detail: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ message: Type.String() }))),
  }),
);

function reasonOf(answer: unknown, status: number): string {
  if (!problem.Check(answer)) return `status ${status}`;
  const { detail, errors = [] } = answer;
  const reasons = errors.map(({ message }) => message).join(' ') || detail;
  return reasons.replace(/\.$/, '');
}

type Form<Value> = { Check(value: unknown): value is Value };

/** Throws MALFORMED_DATA if another program answered. */
function expectForm<Value>(form: Form<Value>, answer: unknown): Value {
  if (form.Check(answer)) return answer;
  throw new CodedError('MALFORMED_DATA', { what: 'response', reason: 'it has another form' });
}
