import { type Address, toAddress } from '@tidegate/core/base';
import { claimBuilder, parseClaimRequest, simulateClaim } from '@tidegate/core/builders';
import { Type } from 'typebox';
import { AddressString } from '../../http/schemas/primitives.ts';
import { WalletParameter } from '../../support/schemas/address-parameters.ts';
import { computeBudgetFields } from './builder/builder-schemas.ts';
import { defineBuilder } from './builder/define-builder.ts';

const optionalAddress = (description: string) =>
  Type.Optional(Type.Unsafe<string>({ ...AddressString, description }));

const FarmClaimRequest = Type.Object(
  {
    wallet: WalletParameter,
    kvault: optionalAddress('Claims rewards for the shares of this vault'),
    market: optionalAddress('Claims rewards for a loan of the wallet in this market'),
    reserve: optionalAddress('Only rewards of this reserve of the market'),
    loan: optionalAddress('Address of the loan in the market; the plain loan by default'),
    ...computeBudgetFields,
  },
  { title: 'FarmClaimRequest' },
);

export const { transaction: buildFarmClaimTx, instructions: buildFarmClaimIxs } = defineBuilder({
  name: 'FarmClaim',
  path: '/ktx/farms/claim',
  purpose: 'claim farm rewards',
  description:
    'Claims all rewards that are claimable now: of a vault, or of a loan in a market, optionally of one reserve only.',
  body: FarmClaimRequest,
  action: {
    builder: claimBuilder,
    readsNamedAccounts: true,
    parse: ({ wallet, kvault, market, reserve, loan }, state) =>
      parseClaimRequest(
        {
          wallet: toAddress(wallet),
          kvault: toOptionalAddress(kvault),
          market: toOptionalAddress(market),
          reserve: toOptionalAddress(reserve),
          loan: toOptionalAddress(loan),
        },
        state,
      ),
    simulateLocally: simulateClaim,
  },
});

function toOptionalAddress(text: string | undefined): Address | undefined {
  return text === undefined ? undefined : toAddress(text);
}
