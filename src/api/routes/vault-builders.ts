import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { toAddress } from '../../base/address.ts';
import { forecastVaultDeposit } from '../../builders/forecast-vault-deposit.ts';
import { forecastVaultWithdraw } from '../../builders/forecast-vault-withdraw.ts';
import { vaultDeposit } from '../../builders/vault-deposit.ts';
import {
  type VaultDepositRequest as DepositRequest,
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
  type VaultFields,
  type VaultWithdrawRequest as WithdrawRequest,
} from '../../builders/vault-request.ts';
import { vaultWithdraw } from '../../builders/vault-withdraw.ts';
import type { Action } from '../action.ts';
import type { BuilderAnswers } from '../builder-answer.ts';
import { builderFacts, instructionsOperation, transactionOperation } from '../builder-operation.ts';
import { VaultDepositRequest, VaultWithdrawRequest } from '../schemas/builders.ts';

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
