import { formatError, type Logger, type Slot, toUnixSeconds } from '@tidegate/core/base';
import type { GenesisPlan, RunningLocalnet } from '@tidegate/localnet';
import { metadataOfPlan } from '@tidegate/localnet/genesis';
import { parseEndpointUrl } from '../../chain/endpoints/endpoint-url.ts';
import { createJsonRpc } from '../../chain/rpc/json-rpc.ts';
import {
  requireInteger,
  requireObject,
  requireSlot,
  requireString,
} from '../../chain/rpc/response-values.ts';
import { createRegistry, emptyRegistry, type Registry } from '../../registry/registry.ts';
import { knownTokenListings } from '../../registry/token-listing.ts';

const TIMEOUT_MS = 2_000;

/** The registry of a localnet, from its off-chain metadata. */
export function createLocalnetRegistry(metadata: RunningLocalnet['metadata']): Registry {
  const { markets, stakePools, privateCreditVaults, tokens: tokenLabels, seasons } = metadata;
  const tokens = knownTokenListings;
  return createRegistry({ markets, tokens, stakePools, privateCreditVaults, tokenLabels, seasons });
}

/** The registry of a localnet in another process. Empty if the endpoint is not one of ours. */
export async function readLocalnetRegistry([url]: readonly URL[], log: Logger): Promise<Registry> {
  if (url === undefined) return emptyRegistry;
  try {
    const found = await readLocalnetPlan([url]);
    return found ? createLocalnetRegistry(metadataOfPlan(found.plan)) : emptyRegistry;
  } catch (error) {
    log.info(
      { reason: formatError(error) },
      'the localnet has no registry: names come from the chain',
    );
    return emptyRegistry;
  }
}

type LocalnetPlan = {
  readonly plan: GenesisPlan;
  /** The starts of a stored cluster, the newest last. */
  readonly runs: readonly { readonly id: string; readonly slot: Slot }[];
};

/** What a localnet was simulated from, and its runs; undefined if no plan describes it. */
export async function readLocalnetPlan([url]: readonly URL[]): Promise<LocalnetPlan | undefined> {
  if (url === undefined) return undefined;
  const send = createJsonRpc(parseEndpointUrl(url), url.host);
  const result = await send({ method: 'tidegate_getPlan', params: [], timeoutMs: TIMEOUT_MS });
  if (result === null) return undefined;
  return { plan: parsePlan(result), runs: parseRuns(result) };
}

/** Earlier releases have none. */
function parseRuns(value: unknown): LocalnetPlan['runs'] {
  const { runs } = requireObject(value, 'plan');
  if (!Array.isArray(runs)) return [];
  return runs.map((run: unknown) => {
    const { id, slot } = requireObject(run, 'run');
    return { id: requireString(id, 'id of a run'), slot: requireSlot(slot, 'slot of a run') };
  });
}

function parsePlan(value: unknown): GenesisPlan {
  const { seed, days, until } = requireObject(value, 'plan');
  const { slot, unixTimestamp } = requireObject(until, 'end of the plan');
  return {
    seed: requireString(seed, 'seed'),
    days: requireInteger(days, 'days'),
    until: {
      slot: requireSlot(slot, 'slot'),
      unix: toUnixSeconds(BigInt(requireInteger(unixTimestamp, 'time'))),
    },
  };
}
