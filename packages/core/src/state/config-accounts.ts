import type { Address } from '../base/encoding/address.ts';
import type { Shape } from '../base/encoding/layout.ts';
import { createUnknownValueCheck, type UnknownValue } from '../base/encoding/unknown-values.ts';
import type { AccountCodec, RawAccount } from '../base/solana/account.ts';
import { globalConfig as lendingConfig } from '../protocol/klend/layout/global-config.ts';
import { globalConfigAddress as lendingConfigAddress } from '../protocol/klend/pda.ts';
import { globalConfig as vaultsConfig } from '../protocol/kvault/layout/global-config.ts';
import { globalConfigAddress as vaultsConfigAddress } from '../protocol/kvault/pda.ts';
import { oracleMappings } from '../protocol/scope/layout/configuration.ts';
import type { AccountKind } from './account-kinds.ts';
import type { ClusterReader } from './cluster-reader.ts';

/** Accounts that the state does not store, with the kind of accounts that they configure. */
const configAccounts = [
  configAccount('market', lendingConfig),
  configAccount('vault', vaultsConfig),
  configAccount('prices', oracleMappings),
];

function configAccount<S extends Shape>(kind: AccountKind, account: AccountCodec<S>) {
  const { body, size } = account;
  const check = createUnknownValueCheck({ body, start: account.discriminator.length, size });
  return { kind, matches: (raw: RawAccount) => account.matches(raw), check };
}

/** The bytes and values of a global config or of the sources of prices that their layouts do not know. */
export function unknownConfigValues(
  raw: RawAccount,
): { readonly kind: AccountKind; readonly values: readonly UnknownValue[] } | undefined {
  const config = configAccounts.find(({ matches }) => matches(raw));
  return config && { kind: config.kind, values: config.check(raw.data) };
}

/** The global configs of the programs in use. */
export function listGlobalConfigs(reader: Pick<ClusterReader, 'markets' | 'vaults'>): Address[] {
  const lending = new Set(reader.markets().map(({ program }) => program));
  const vaults = new Set(reader.vaults().map(({ program }) => program));
  return [
    ...[...lending].map((program) => lendingConfigAddress(program)),
    ...[...vaults].map((program) => vaultsConfigAddress(program)),
  ];
}

/** The price accounts that reserves read and that are known. The first address in each is that of its sources. */
export function listPriceFeeds(
  reader: Pick<ClusterReader, 'markets' | 'reservesOf' | 'prices'>,
): Address[] {
  const feeds = new Set(
    reader
      .markets()
      .flatMap(({ address }) => reader.reservesOf(address))
      .map(({ fields }) => fields.config.tokenInfo.scopeConfiguration.priceFeed),
  );
  return [...feeds].filter((feed) => reader.prices(feed) !== undefined);
}
