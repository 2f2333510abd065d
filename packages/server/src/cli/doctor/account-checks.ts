import { type Address, formatError, type RawAccount } from '@tidegate/core/base';
import { globalConfigAddress as lendingConfigAddress } from '@tidegate/core/protocol/klend';
import { globalConfigAddress as vaultsConfigAddress } from '@tidegate/core/protocol/kvault';
import { identifyAccount, unknownConfigValues, unknownValuesIn } from '@tidegate/core/state';
import { createRpcSource } from '../../chain/rpc/rpc-source.ts';
import { describeUnknownValue } from '../../clusters/unknown-value-reasons.ts';
import { mainnetRegistry } from '../../registry/mainnet/mainnet-registry.ts';
import type { Config } from '../settings/settings.ts';
import type { EndpointGroup } from './endpoint-checks.ts';
import { type Finding, ok, warning } from './finding.ts';

type Limits = Pick<Config, 'commitment' | 'maxLagSlots'> & {
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
};

/** One request. */
const MAX_ACCOUNTS = 100;
const NAME = 'program data';

/** Whether the programs use bytes or values that this version does not know, in the accounts of the built-in registry. */
export async function checkAccounts(
  { env, urls }: EndpointGroup,
  limits: Limits,
): Promise<readonly Finding[]> {
  const [url] = urls;
  if (env !== 'mainnet-beta' || url === undefined) return [];
  const { maxLagSlots, ...options } = limits;
  const source = createRpcSource({ ...options, url, maxLagSlots: BigInt(maxLagSlots) });
  try {
    const addresses = listAddresses();
    const { accounts } = await source.getAccounts(addresses);
    return [report(addresses, accounts)];
  } catch (error) {
    // what is wrong with the endpoint is a finding of its own
    const message = `The accounts of the programs were not read: ${formatError(error)}`;
    return [warning(NAME, message, 'Run the command again when an endpoint works.')];
  } finally {
    source.close();
  }
}

function listAddresses(): Address[] {
  const { markets, vaults } = mainnetRegistry;
  const known = [...markets.map(({ address }) => address), ...vaults];
  return [lendingConfigAddress(), vaultsConfigAddress(), ...known].slice(0, MAX_ACCOUNTS);
}

function report(
  addresses: readonly Address[],
  accounts: readonly (RawAccount | undefined)[],
): Finding {
  const read = addresses.flatMap((address, index) => {
    const account = accounts[index];
    return account === undefined ? [] : { address, account };
  });
  const found = read.flatMap(({ address, account }) =>
    listUnknownValues(account).map((value) => describeUnknownValue({ ...value, address })),
  );
  const [first] = found;
  if (first === undefined) {
    return ok(NAME, `${read.length} accounts have no byte that this version does not know.`);
  }
  const rest = found.length === 1 ? '' : `, and ${found.length - 1} more`;
  const message = `Bytes are in use that this version does not know: ${first}${rest}`;
  return warning(NAME, message, 'Install a newer release; figures may differ from the programs.');
}

function listUnknownValues(account: RawAccount) {
  const { kind } = identifyAccount(account);
  if (kind === 'other' || kind === 'unreadable') return unknownConfigValues(account)?.values ?? [];
  return unknownValuesIn(kind, account.data);
}
