import { toAddress } from '@tidegate/core/base';
import {
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
  simulateVaultDeposit,
  simulateVaultWithdraw,
  type VaultRequestFields,
  type VaultWithdrawUnit,
  vaultDepositBuilder,
  vaultWithdrawBuilder,
} from '@tidegate/core/builders';
import { type Static, Type } from 'typebox';
import { AmountOrAllString, AmountString } from '../../http/schemas/primitives.ts';
import { VaultParameter, WalletParameter } from '../../support/schemas/address-parameters.ts';
import { computeBudgetFields } from './builder/builder-schemas.ts';
import { defineBuilder } from './builder/define-builder.ts';

const VaultDepositRequest = Type.Object(
  { wallet: WalletParameter, kvault: VaultParameter, amount: AmountString, ...computeBudgetFields },
  { title: 'VaultDepositRequest' },
);

const VaultWithdrawRequest = Type.Object(
  {
    wallet: WalletParameter,
    kvault: VaultParameter,
    amount: AmountOrAllString,
    unit: Type.Optional(
      Type.Unsafe<VaultWithdrawUnit>({
        type: 'string',
        enum: ['shares', 'tokens'],
        default: 'shares',
        description:
          'What amount counts: shares to redeem, or tokens to receive at least. U64::MAX is only for shares',
      }),
    ),
    ...computeBudgetFields,
  },
  { title: 'VaultWithdrawRequest' },
);

const deposit = defineBuilder({
  name: 'VaultDeposit',
  path: '/ktx/kvault/deposit',
  purpose: 'deposit into an earn vault',
  description:
    'The amount is in the token of the vault. If the vault has a farm for shares, all shares of the wallet are staked, also those from before.',
  body: VaultDepositRequest,
  action: {
    builder: vaultDepositBuilder,
    parse: (body, state) => parseVaultDepositRequest(toRequestFields(body), state),
    simulateLocally: simulateVaultDeposit,
  },
});

const withdraw = defineBuilder({
  name: 'VaultWithdraw',
  path: '/ktx/kvault/withdraw',
  purpose: 'withdraw from an earn vault',
  description:
    'The amount is in whole shares, including staked ones, or with unit=tokens in whole tokens of the vault: then the fewest shares are redeemed that pay at least that amount in every slot in which the transaction can land. Shares that the wallet does not hold are unstaked first.',
  body: VaultWithdrawRequest,
  action: {
    builder: vaultWithdrawBuilder,
    parse: ({ unit, ...body }, state) =>
      parseVaultWithdrawRequest(
        { ...toRequestFields(body), ...(unit !== undefined && { unit }) },
        state,
      ),
    simulateLocally: simulateVaultWithdraw,
  },
});

export const { transaction: buildVaultDepositTx, instructions: buildVaultDepositIxs } = deposit;
export const { transaction: buildVaultWithdrawTx, instructions: buildVaultWithdrawIxs } = withdraw;

function toRequestFields({
  wallet,
  kvault,
  amount,
}: Static<typeof VaultDepositRequest>): VaultRequestFields {
  return { wallet: toAddress(wallet), kvault: toAddress(kvault), amount };
}
