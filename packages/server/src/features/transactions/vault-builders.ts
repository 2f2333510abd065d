import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import {
  type VaultDepositRequest as DepositRequest,
  forecastVaultDeposit,
  forecastVaultWithdraw,
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
  type VaultFields,
  vaultDeposit,
  vaultWithdraw,
  type VaultWithdrawRequest as WithdrawRequest,
} from '@tidegate/core/builders';
import type { Static } from 'typebox';
import type { Action } from './builder/builder-action.ts';
import type { BuilderAnswers } from './builder/builder-handlers.ts';
import {
  builderFacts,
  instructionsOperation,
  transactionOperation,
} from './builder/builder-operation.ts';
import { VaultDepositRequest, VaultWithdrawRequest } from './builder/builder-schemas.ts';

const depositFacts = builderFacts({
  name: 'VaultDeposit',
  does: 'deposit into an earn vault',
  more: 'The amount is of the vault’s token. Shares are staked where the vault has a farm for them.',
});

const withdrawFacts = builderFacts({
  name: 'VaultWithdraw',
  does: 'withdraw from an earn vault',
  more: 'The amount is of shares, staked ones included, in whole shares. What is missing in the wallet is unstaked first.',
});

/** Shares of earn vaults. */
export const vaultBuilderRoutes =
  (answers: BuilderAnswers): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ktx/kvault/deposit',
      transactionOperation(depositFacts.transaction, VaultDepositRequest),
      async ({ body, query }) => answers.transaction(deposit, { body, query }),
    );
    app.post(
      '/ktx/kvault/deposit-instructions',
      instructionsOperation(depositFacts.instructions, VaultDepositRequest),
      async ({ body, query }) => answers.instructions(deposit, { body, query }),
    );
    app.post(
      '/ktx/kvault/withdraw',
      transactionOperation(withdrawFacts.transaction, VaultWithdrawRequest),
      async ({ body, query }) => answers.transaction(withdraw, { body, query }),
    );
    app.post(
      '/ktx/kvault/withdraw-instructions',
      instructionsOperation(withdrawFacts.instructions, VaultWithdrawRequest),
      async ({ body, query }) => answers.instructions(withdraw, { body, query }),
    );
  };

type Body = Static<typeof VaultDepositRequest>;

const deposit: Action<Body, DepositRequest> = {
  builder: vaultDeposit,
  parse: (body, state) => parseVaultDepositRequest(fieldsOf(body), state),
  forecast: forecastVaultDeposit,
};

const withdraw: Action<Body, WithdrawRequest> = {
  builder: vaultWithdraw,
  parse: (body, state) => parseVaultWithdrawRequest(fieldsOf(body), state),
  forecast: forecastVaultWithdraw,
};

const fieldsOf = ({ wallet, kvault, amount }: Body): VaultFields => ({
  wallet: toAddress(wallet),
  kvault: toAddress(kvault),
  amount,
});
