import type { Status, Vault } from '@tidegate/client';
import type { ListedMarket } from '../../api/directory.ts';
import type { WalletLoan } from '../../loans/wallet-loans.ts';
import type { BuildFields } from '../../routing/build-fields.ts';
import type { FieldProblems } from './request/field-problems.ts';

export type Choices = {
  readonly markets: readonly ListedMarket[];
  readonly vaults: readonly Vault[];
  /** Of the wallet; undefined until they are known. */
  readonly loans: readonly WalletLoan[] | undefined;
  readonly demo: Status['demo'];
  /** The wallets’ name of the cluster; undefined until it is known, and if they have none. */
  readonly chain: string | undefined;
};

export type FormProps = {
  readonly fields: BuildFields;
  readonly choices: Choices;
  /** Empty until the form was submitted once. */
  readonly problems: FieldProblems;
  readonly onChange: (changes: Partial<BuildFields>) => void;
};
