import { formatError } from '@tidegate/core/base';
import { type EndpointUrl, parseEndpointUrl } from '../../chain/endpoints/endpoint-url.ts';
import { createJsonRpc, type JsonRpc } from '../../chain/rpc/json-rpc.ts';
import { requireSlot } from '../../chain/rpc/response-values.ts';
import { createRpcSource } from '../../chain/rpc/rpc-source.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { genesisHashOf } from '../../composition/clusters/verify-cluster.ts';
import { CodedError } from '../../errors.ts';
import type { Config } from '../settings/settings.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { checkMethods } from './method-checks.ts';

/** The endpoints of one cluster and the setting that lists them. */
export type EndpointGroup = {
  readonly env: ClusterName;
  readonly setting: 'RPC_URL' | 'RPC_URL_MAINNET' | 'RPC_URL_DEVNET';
  readonly urls: readonly URL[];
};

type Limits = Pick<Config, 'commitment' | 'maxLagSlots'> & {
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
};

type Probe = {
  readonly name: string;
  readonly findings: readonly Finding[];
  readonly slot: bigint | undefined;
  /** Seconds by which the wall clock is ahead of the cluster's. */
  readonly aheadSeconds: number | undefined;
};

export const endpointGroups = (config: Config): readonly EndpointGroup[] =>
  (
    [
      { env: config.cluster, setting: 'RPC_URL', urls: config.rpcUrl },
      { env: 'mainnet-beta', setting: 'RPC_URL_MAINNET', urls: config.rpcUrlMainnet },
      { env: 'devnet', setting: 'RPC_URL_DEVNET', urls: config.rpcUrlDevnet },
    ] as const
  ).filter(({ urls }) => urls.length > 0);

/** Checks each endpoint, compares their slots, and the clock of this machine with that of the cluster. */
export async function checkEndpoints(
  group: EndpointGroup,
  limits: Limits,
): Promise<readonly Finding[]> {
  const probes = await Promise.all(group.urls.map((url) => probeEndpoint(url, group, limits)));
  const slots = probes.flatMap(({ slot }) => slot ?? []);
  const newest = slots.reduce((max, slot) => (slot > max ? slot : max), 0n);
  return [
    ...probes.flatMap(({ findings }) => findings),
    ...probes.flatMap((probe) => checkLag(probe, newest, limits)),
    ...checkClock(probes),
  ];
}

async function probeEndpoint(url: URL, group: EndpointGroup, limits: Limits): Promise<Probe> {
  const endpoint = parseEndpointUrl(url);
  const name = `endpoint ${endpoint.host}`;
  const rpc = createJsonRpc(endpoint, name);
  const call = (method: string, params: readonly unknown[]) =>
    rpc({ method, params, timeoutMs: limits.timeoutMs });
  const failed = (finding: Finding): Probe => ({
    name,
    findings: [finding],
    slot: undefined,
    aheadSeconds: undefined,
  });
  let slot: bigint;
  try {
    slot = requireSlot(await call('getSlot', [{ commitment: limits.commitment }]), 'slot');
  } catch (error) {
    const change = `Check the address in ${group.setting}, its key, and the network.`;
    return failed(problem(name, reasonOf(error, endpoint), change));
  }
  const identity = await checkGenesis(name, call, group);
  if (identity.status === 'problem') return failed(identity);
  const methods = await checkMethods(name, call);
  const aheadSeconds = await readClockDifference(url, limits);
  return { name, findings: [identity, methods], slot, aheadSeconds };
}

type Call = (method: string, params: readonly unknown[]) => ReturnType<JsonRpc>;

async function checkGenesis(
  name: string,
  call: Call,
  { env, setting }: EndpointGroup,
): Promise<Finding> {
  const expected = genesisHashOf(env);
  try {
    const found = await call('getGenesisHash', []);
    if (expected === undefined || found === expected) return ok(name, `It responds for ${env}.`);
    const message = `It serves another cluster than ${env}: its genesis hash is ${found}`;
    return problem(
      name,
      message,
      `Change ${setting === 'RPC_URL' ? 'CLUSTER or ' : ''}${setting}.`,
    );
  } catch (error) {
    const message = `Its cluster is not verified (${formatError(error)})`;
    return warning(name, message, 'Use an endpoint that serves getGenesisHash.');
  }
}

function checkLag({ name, slot }: Probe, newest: bigint, limits: Limits): readonly Finding[] {
  if (slot === undefined) return [];
  const lag = newest - slot;
  if (lag <= BigInt(limits.maxLagSlots)) return [ok(name, `Its slot is ${slot}, ${lag} behind.`)];
  const message = `Its slot is ${slot}, ${lag} behind another endpoint`;
  return [warning(name, message, 'Requests go to the others. Ask its provider or replace it.')];
}

/** Undefined if the endpoint does not serve the clock. */
async function readClockDifference(
  url: URL,
  { clock, commitment, maxLagSlots, timeoutMs }: Limits,
): Promise<number | undefined> {
  const options = { url, commitment, clock, maxLagSlots: BigInt(maxLagSlots), timeoutMs };
  const source = createRpcSource(options);
  try {
    const { unix } = await source.getSlotTime();
    return clock() / 1000 - Number(unix);
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  } finally {
    source.close();
  }
}

/** The clock of a cluster differs from the real time by a few seconds. */
const CLOCK_WARNING_SECONDS = 30;
const CLOCK_PROBLEM_SECONDS = 300;

/** An endpoint that lags makes the clock look fast, so the smallest difference counts. */
function checkClock(probes: readonly Probe[]): readonly Finding[] {
  const differences = probes.flatMap(({ aheadSeconds }) => aheadSeconds ?? []);
  if (differences.length === 0) return [];
  const least = differences.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
  const distance = Math.abs(Math.round(least));
  const message = `The clock of this machine is ${distance} s ${least >= 0 ? 'ahead of' : 'behind'} the cluster's`;
  if (distance < CLOCK_WARNING_SECONDS) return [ok('clock', `${message}.`)];
  const change =
    'Synchronize the clock with NTP. If it is right, the cluster or the endpoints lag.';
  const report = distance < CLOCK_PROBLEM_SECONDS ? warning : problem;
  return [report('clock', message, change)];
}

const reasonOf = (error: unknown, endpoint: EndpointUrl): string =>
  `It does not respond: ${endpoint.redact(formatError(error))}`;
