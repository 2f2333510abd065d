import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiError,
  type CallArguments,
  createClient,
  type OperationName,
} from '@tidegate/client';
import { formatError } from '@tidegate/core/base';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Config } from '../../cli/settings/settings.ts';
import { formatTable } from '../../cli/terminal/text-table.ts';
import { CodedError } from '../../errors.ts';
import { CreatedHook, DeliveryList, HookList } from '../../operations/webhooks/schema.ts';

type Input = {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  readonly config: Config;
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

export async function printHooks(input: Input): Promise<string> {
  const { hooks } = expectForm(hookList, await call(input, 'GET /hooks'));
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
  const created = await call(input, 'POST /hooks', { body });
  const { id, secret } = expectForm(createdHook, created);
  process.stderr.write('Store this secret now: it is not shown again.\n');
  return `${id}\n${secret}`;
}

export async function removeHook(input: Input): Promise<string> {
  const [id] = input.args;
  await call(input, 'DELETE /hooks/{id}', { path: { id } });
  return `Removed ${id}.`;
}

export async function reactivateHook(input: Input): Promise<string> {
  const [id] = input.args;
  await call(input, 'POST /hooks/{id}/enable', { path: { id } });
  return `Enabled ${id}.`;
}

export async function rotateSecret(input: Input): Promise<string> {
  const [id] = input.args;
  const answer = await call(input, 'POST /hooks/{id}/rotate-secret', { path: { id } });
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
  const answer = await call(input, 'POST /hooks/{id}/replay', { path: { id: args[0] }, body });
  const { deliveries } = expectForm(replayed, answer);
  return `${deliveries} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} sent again.`;
}

export async function sendTest(input: Input): Promise<string> {
  const [id] = input.args;
  const answer = await call(input, 'POST /hooks/{id}/test', { path: { id } });
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

async function readDeliveries(input: Input, query: Parameters['query']) {
  const path = { id: input.args[0] };
  const answer = await call(input, 'GET /hooks/{id}/deliveries', { path, ...(query && { query }) });
  return expectForm(deliveryList, answer);
}

type HookOperation = Extract<OperationName, `${string} /hooks${string}`>;

type Parameters = {
  readonly path?: { readonly id: string | undefined };
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
};

/** Throws SOURCE_UNAVAILABLE or SOURCE_REFUSES with the reason of the server. */
async function call(
  { flags, config }: Input,
  operation: HookOperation,
  parameters: Parameters = {},
): Promise<unknown> {
  const { tidegateUrl, tidegateApiKey: apiKey } = config;
  const client = createClient({
    baseUrl: tidegateUrl,
    apiKey: apiKey === '' ? undefined : apiKey,
    retries: 0,
    timeoutMs: REQUEST_MS,
    // a redirect could send the key elsewhere
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  });
  const query = { env: flags['env'], ...parameters.query };
  // the server checks what was typed, and says what is wrong with it
  const checked = [{ ...parameters, query }] as unknown as CallArguments<HookOperation>;
  const result = await client.request(operation, ...checked);
  if (result.ok) return result.data;
  throw toCodedError(result.error, tidegateUrl);
}

function toCodedError(error: ApiError, { origin: source }: URL): CodedError {
  if (error.kind === 'http') {
    return new CodedError('SOURCE_REFUSES', { source, reason: error.message.replace(/\.$/, '') });
  }
  const { message, cause } = error;
  if (error.kind === 'malformed') {
    return new CodedError('MALFORMED_DATA', { what: 'response', reason: message });
  }
  const reason = cause === undefined ? message : formatError(cause);
  return new CodedError('SOURCE_UNAVAILABLE', { source, reason }, cause);
}

type Form<Value> = { Check(value: unknown): value is Value };

/** Throws MALFORMED_DATA if another program answered. */
function expectForm<Value>(form: Form<Value>, answer: unknown): Value {
  if (form.Check(answer)) return answer;
  throw new CodedError('MALFORMED_DATA', {
    what: 'response',
    reason: 'its fields are not the expected ones',
  });
}
