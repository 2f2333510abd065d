import type { Address } from '../../../base/encoding/address.ts';
import { formatUnits } from '../../../base/numbers/decimal.ts';

/** The display unit of a token. */
export type TokenLabel = {
  readonly unit: string;
  /** Undefined if amounts can only be shown in smallest units. */
  readonly decimals: number | undefined;
  /** The token program; undefined if it is unknown. */
  readonly tokenProgram: Address | undefined;
};

/** The mint and owner of a token account. */
export type TokenAccountOwner = { readonly mint: Address; readonly owner: Address | undefined };

/** Labels of the accounts of a transaction. The first label stays: reliable sources come first. */
export class AccountLabels {
  readonly #labels = new Map<Address, string>();
  readonly #tokens = new Map<Address, TokenLabel>();
  readonly #holdings = new Map<Address, TokenAccountOwner>();

  addLabel(address: Address, label: string): void {
    if (!this.#labels.has(address)) this.#labels.set(address, label);
  }

  addToken(mint: Address, token: TokenLabel): void {
    if (!this.#tokens.has(mint)) this.#tokens.set(mint, token);
  }

  addTokenAccount(address: Address, holding: TokenAccountOwner): void {
    if (!this.#holdings.has(address)) this.#holdings.set(address, holding);
  }

  labelOf(address: Address): string | undefined {
    return this.#labels.get(address);
  }

  tokenOf(mint: Address): TokenLabel | undefined {
    return this.#tokens.get(mint);
  }

  tokenAccountOf(address: Address): TokenAccountOwner | undefined {
    return this.#holdings.get(address);
  }

  nameOf(address: Address): string {
    return this.#labels.get(address) ?? address;
  }

  unitOf(mint: Address | undefined): string {
    if (mint === undefined) return 'an unknown token';
    return this.#tokens.get(mint)?.unit ?? `the token ${mint}`;
  }

  amountOf(amount: bigint, mint: Address | undefined): string {
    const decimals = mint && this.#tokens.get(mint)?.decimals;
    return decimals === undefined
      ? `${amount} smallest units of ${this.unitOf(mint)}`
      : `${formatUnits(amount, decimals)} ${this.unitOf(mint)}`;
  }

  get mints(): readonly Address[] {
    return [...this.#tokens.keys()];
  }
}

/** For an account without a name. */
export const shortenAddress = (address: Address): string =>
  `${address.slice(0, 4)}…${address.slice(-4)}`;
