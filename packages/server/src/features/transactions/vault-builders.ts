import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import {
  type VaultDepositRequest as DepositRequest,
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
  simulateVaultDeposit,
  simulateVaultWithdraw,
  type VaultRequestFields,
  vaultDepositBuilder,
  vaultWithdrawBuilder,
  type VaultWithdrawRequest as WithdrawRequest,
} from '@tidegate/core/builders';
import type { Static } from 'typebox';
import type { BuilderAction } from './builder/builder-action.ts';
import type { BuilderHandlers } from './builder/builder-handlers.ts';
import {
  defineInstructionsOperation,
  defineTransactionOperation,
  describeBuilderOperations,
} from './builder/builder-operation.ts';
import { VaultDepositRequest, VaultWithdrawRequest } from './builder/builder-schemas.ts';

const depositFacts = describeBuilderOperations({
  name: 'VaultDeposit',
  does: 'deposit into an earn vault',
  more: 'The amount is of the vault’s token. Shares are staked where the vault has a farm for them.',
});

const withdrawFacts = describeBuilderOperations({
  name: 'VaultWithdraw',
  does: 'withdraw from an earn vault',
  more: 'The amount is of shares, staked ones included, in whole shares. What is missing in the wallet is unstaked first.',
});

/** Shares of earn vaults. */
export const vaultBuilderRoutes =
  (answers: BuilderHandlers): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ktx/kvault/deposit',
      defineTransactionOperation(depositFacts.transaction, VaultDepositRequest),
      async ({ body, query }) => answers.transaction(deposit, { body, query }),
    );
    app.post(
      '/ktx/kvault/deposit-instructions',
      defineInstructionsOperation(depositFacts.instructions, VaultDepositRequest),
      async ({ body, query }) => answers.instructions(deposit, { body, query }),
    );
    app.post(
      '/ktx/kvault/withdraw',
      defineTransactionOperation(withdrawFacts.transaction, VaultWithdrawRequest),
      async ({ body, query }) => answers.transaction(withdraw, { body, query }),
    );
    app.post(
      '/ktx/kvault/withdraw-instructions',
      defineInstructionsOperation(withdrawFacts.instructions, VaultWithdrawRequest),
      async ({ body, query }) => answers.instructions(withdraw, { body, query }),
    );
  };

type Body = Static<typeof VaultDepositRequest>;

const deposit: BuilderAction<Body, DepositRequest> = {
  builder: vaultDepositBuilder,
  parse: (body, state) => parseVaultDepositRequest(fieldsOf(body), state),
  forecast: simulateVaultDeposit,
};

const withdraw: BuilderAction<Body, WithdrawRequest> = {
  builder: vaultWithdrawBuilder,
  parse: (body, state) => parseVaultWithdrawRequest(fieldsOf(body), state),
  forecast: simulateVaultWithdraw,
};

const fieldsOf = ({ wallet, kvault, amount }: Body): VaultRequestFields => ({
  wallet: toAddress(wallet),
  kvault: toAddress(kvault),
  amount,
});
