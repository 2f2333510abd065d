import { toAddress } from '@tidegate/core/base';
import { loanExitPlanner, vaultExitPlanner } from '@tidegate/core/builders';
import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString } from '../../http/schemas/primitives.ts';
import {
  MarketParameter,
  VaultParameter,
  WalletParameter,
} from '../../support/schemas/address-parameters.ts';
import { computeBudgetFields } from './builder/builder-schemas.ts';
import { definePlan } from './builder/define-builder.ts';

const LoanExitRequest = Type.Object(
  {
    wallet: WalletParameter,
    market: MarketParameter,
    loan: Type.Optional(
      describe(
        AddressString,
        'Address of the loan of the wallet in the market; the plain loan by default',
      ),
    ),
    ...computeBudgetFields,
  },
  { title: 'LoanExitRequest' },
);

const VaultExitRequest = Type.Object(
  { wallet: WalletParameter, kvault: VaultParameter, ...computeBudgetFields },
  { title: 'VaultExitRequest' },
);

export const planLoanExit = definePlan({
  name: 'LoanExit',
  path: '/ktx/klend/exit',
  purpose: 'close a loan',
  description:
    'Repays every debt of the loan, withdraws every deposit, which closes it, and claims its rewards.',
  body: LoanExitRequest,
  action: {
    planner: loanExitPlanner,
    parse: ({ wallet, market, loan }) => ({
      wallet: toAddress(wallet),
      market: toAddress(market),
      ...(loan !== undefined && { obligation: { address: toAddress(loan) } }),
    }),
  },
});

export const planVaultExit = definePlan({
  name: 'VaultExit',
  path: '/ktx/kvault/exit',
  purpose: 'leave an earn vault',
  description:
    'Redeems all shares of the vault, also staked ones, and claims its rewards. If the vault cannot pay for all shares now, it redeems those that it can; a note says so.',
  body: VaultExitRequest,
  action: {
    planner: vaultExitPlanner,
    parse: ({ wallet, kvault }) => ({ wallet: toAddress(wallet), vault: toAddress(kvault) }),
  },
});
