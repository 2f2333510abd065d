import { type Address, formatUnits, toAddress } from '@tidegate/core/base';
import {
  type DepositToken,
  depositTokens,
  RESERVED_LAMPORTS,
  solBalance,
  tokenBalance,
} from '@tidegate/core/builders';
import { associatedTokenAddress } from '@tidegate/core/protocol/spl';
import { type Static, Type } from 'typebox';
import { BoundedMap } from '../../../caching/bounded-map.ts';
import type { AccountsAtSlot } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import { setOmittedHeader, unreadableAccounts } from '../../../support/pricing/data-notes.ts';
import {
  tokenSymbolOrMint,
  vaultPricingCache,
} from '../../../support/pricing/vault-pricing-cache.ts';
import { WalletParameter } from '../../../support/schemas/address-parameters.ts';
import { parseMints } from '../../../support/schemas/mints-parameter.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { WalletBalances } from './schema.ts';

const SOL_DECIMALS = 9;
/** Most token accounts whose addresses stay in memory, because deriving them is slow. */
const MAX_ADDRESSES = 10_000;

const Query = Type.Object({
  mints: Type.Optional(
    Type.String({
      description: 'Only the balances of these tokens: mint addresses, separated by commas',
    }),
  ),
  env: Type.Optional(ClusterNameString),
});

export const getWalletBalances: OperationPlugin = (context) => async (app) => {
  const { clusters, tokens: catalogue } = context;
  const pricingOf = vaultPricingCache(context);
  const addressOf = createTokenAccountLookup();

  app.get(
    '/portfolio/:pubkey/balances',
    defineOperation(
      {
        operationId: 'getWalletBalances',
        tag: 'portfolio',
        summary: 'Balances of a wallet',
        description:
          'SOL, and the tokens that reserves and vaults take, in the associated token accounts of the wallet, from which the builders pay. Read from an endpoint at the slot of the response or later. `mints` selects tokens; one that no reserve or vault takes is absent.',
        weight: 5,
        statuses: [400, 500],
        dependsOn: ['slot', 'slotDuration', 'market', 'reserve', 'vault', 'prices', 'tokens'],
      },
      {
        params: Type.Object({ pubkey: WalletParameter }),
        querystring: Query,
        response: WalletBalances,
      },
    ),
    async ({ params, query: { mints, env } }, reply) => {
      const isSelected = parseMints(mints);
      const cluster = clusters.requireLoaded(env);
      const { reader, registry } = cluster;
      const wallet = toAddress(params.pubkey);
      const selected = depositTokens(reader)
        .filter(({ mint }) => isSelected(mint))
        .map((token) => ({ ...token, tokenAccount: addressOf(wallet, token) }));
      setOmittedHeader(reply, [
        ...unreadableAccounts(reader, 'reserve'),
        ...unreadableAccounts(reader, 'vault'),
      ]);
      const addresses = [wallet, ...selected.map(({ tokenAccount }) => tokenAccount)];
      const { accounts } = await cluster.readAccounts(addresses, reader.at().slot);
      const symbolOf = (mint: Address) =>
        tokenSymbolOrMint(mint, { registry, pricing: pricingOf(cluster), catalogue });
      return {
        sol: solJson(accounts.get(wallet)),
        tokens: selected.map(({ mint, decimals, tokenAccount }) => {
          const amount = tokenBalance(wallet, { mint }, accounts.get(tokenAccount));
          return {
            mint,
            symbol: symbolOf(mint),
            decimals,
            tokenAccount,
            amount: formatUnits(amount, decimals),
          };
        }),
      };
    },
  );
};

function createTokenAccountLookup(): (wallet: Address, token: DepositToken) => Address {
  const known = new BoundedMap<string, Address>({ max: MAX_ADDRESSES });
  return (wallet, { mint, tokenProgram }) => {
    const key = `${wallet} ${mint}`;
    const address = known.use(key) ?? associatedTokenAddress(wallet, mint, tokenProgram);
    known.set(key, address);
    return address;
  };
}

type Account = AccountsAtSlot['accounts'] extends ReadonlyMap<Address, infer Value> ? Value : never;

function solJson(account: Account): Static<typeof WalletBalances>['sol'] {
  const { amount, usable } = solBalance(account);
  return {
    amount: formatUnits(amount, SOL_DECIMALS),
    reserved: formatUnits(RESERVED_LAMPORTS, SOL_DECIMALS),
    usable: formatUnits(usable, SOL_DECIMALS),
  };
}
